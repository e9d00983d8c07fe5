/// The part of the completions for bash that the parser does not write.
///
/// The parser hands words to `compgen -W`, which would run what is written in a tag. It compares them with
/// words as they were typed, quotes and all. And bash takes words apart at colons and equals signs, so that
/// it would complete `tag:work` as `work`.
enum BashCompletion {
  /// Functions that come behind the script of the parser.
  static let functions = #"""


    __snip_add_completions() {
        local candidate
        [[ "${1}" = -W ]] && offers_words=yes
        while IFS='' read -r candidate; do
            # A condition has a quote of its own before a tag of several words.
            [[ -n "${candidate}" ]] &&
                [[ "${candidate}" = "${cur}"* || "${candidate/:\"/:}" = "${cur}"* ]] &&
                COMPREPLY+=("${candidate}")
        done < <(if [[ "${1}" = -W ]]; then printf '%s\n' "${2}"; else compgen "${@}" -- "${cur}"; fi)
    }

    # Writes a word so that the shell reads it as it is, in the quotes that are open on the line.
    __snip_quote() {
        local open="${1}" word="${2}" result='' sign
        local -i index
        if [[ -z "${open}" ]]; then
            printf %q "${word}"
            return
        fi
        for ((index = 0; index < ${#word}; index++)); do
            sign="${word:index:1}"
            case "${open}${sign}" in
            "''") result+="'\\''" ;;
            '"'['\"$`']) result+="\\${sign}" ;;
            *) result+="${sign}" ;;
            esac
        done
        printf %s "${result}"
    }

    _snip_as_typed() {
        # The words up to the cursor as the shell reads them, and how many signs of the last one bash keeps.
        local line="${COMP_LINE:0:${COMP_POINT}}" word='' begun='' quote='' sign
        local -a words=()
        local -i index kept=0 outside=0
        for ((index = 0; index < ${#line}; index++)); do
            sign="${line:index:1}"
            if [[ -z "${quote}" && "${sign}" = [[:space:]] ]]; then
                [[ -n "${begun}" ]] && words+=("${word}")
                word='' begun='' kept=0
                continue
            fi
            begun=yes
            if [[ -n "${quote}" && "${sign}" = "${quote}" ]]; then
                quote='' kept="${outside}"
            elif [[ "${quote}" = "'" ]]; then
                word+="${sign}"
            elif [[ "${sign}" = \\ ]]; then
                index+=1
                [[ -n "${quote}" && "${line:index:1}" != ['\"$`'] ]] && word+="${sign}"
                word+="${line:index:1}"
            elif [[ -n "${quote}" ]]; then
                word+="${sign}"
            elif [[ "${sign}" = [\'\"] ]]; then
                quote="${sign}" outside="${kept}" kept="${#word}"
            elif [[ "${COMP_WORDBREAKS}" != *"${sign}"* ]]; then
                word+="${sign}"
            elif [[ "${word}${sign}" =~ ^--[a-z-]+=$ ]]; then
                words+=("${word}")
                word='' kept=0
            else
                word+="${sign}"
                kept="${#word}"
            fi
        done
        words+=("${word}")
        local -a COMP_WORDS=("${words[@]}")
        local -i COMP_CWORD="$((${#words[@]} - 1))"
        local offers_words=''
        _snip "${1}" "${word}" "${words[COMP_CWORD - 1]}"

        local -a candidates=("${COMPREPLY[@]}")
        COMPREPLY=()
        for word in "${candidates[@]}"; do
            word="${word:kept}"
            [[ -z "${word}" ]] && continue
            if [[ -n "${offers_words}" ]]; then
                # Nothing keeps a shell from replacing this sign in double quotes.
                [[ "${quote}${word}" = \"*!* ]] && continue
                word="$(__snip_quote "${quote}" "${word}")"
            fi
            COMPREPLY+=("${word}")
        done
        if [[ -n "${offers_words}" ]]; then
            # These are no names of files, whose folders bash would hide.
            compopt +o filenames 2>/dev/null
            [[ "${#candidates[@]}" -eq 1 && "${candidates[0]}" = *: ]] && compopt -o nospace 2>/dev/null
        fi
    }

    complete -o filenames -F _snip_as_typed snip

    """#
}
