/// The part of the completions for bash that the parser does not write.
///
/// The parser hands words to `compgen -W`, which would run what is written in a tag. And bash takes words
/// apart at colons, so that it would complete `tag:work` as `work`.
enum BashCompletion {
  /// Functions that come behind the script of the parser.
  static let functions = #"""


    __snip_add_completions() {
        local candidate
        while IFS='' read -r candidate; do
            [[ -n "${candidate}" && "${candidate}" = "${cur}"* ]] && COMPREPLY+=("${candidate}")
        done < <(if [[ "${1}" = -W ]]; then printf '%s\n' "${2}"; else compgen "${@}" -- "${cur}"; fi)
    }

    _snip_with_colons() {
        if [[ "${COMP_WORDBREAKS}" != *:* ]]; then
            _snip "${@}"
            return
        fi
        local -a joined=()
        local -i last=-1 current=0
        local index rest="${COMP_LINE}" blanks word
        for index in "${!COMP_WORDS[@]}"; do
            word="${COMP_WORDS[${index}]}"
            blanks="${rest%%[![:space:]]*}"
            rest="${rest#"${blanks}"}"
            if [[ "${last}" -ge 0 && -z "${blanks}" ]] &&
                [[ "${word}" = :* || "${joined[${last}]}" = *: ]]; then
                joined[${last}]+="${word}"
            else
                last+=1
                joined[${last}]="${word}"
            fi
            rest="${rest#"${word}"}"
            [[ "${index}" -eq "${COMP_CWORD}" ]] && current="${last}"
        done
        local -a COMP_WORDS=("${joined[@]}")
        local -i COMP_CWORD="${current}"
        local whole="${joined[${current}]}"
        _snip "${1}" "${whole}" "${joined[${current} - 1]}"
        if [[ "${COMPREPLY[0]}" =~ ^[a-z]+: ]]; then
            # Conditions are no names of files, and what is quoted already has no end yet.
            compopt +o filenames 2>/dev/null
            [[ "${whole}" = *[\"\'\\]* ]] && COMPREPLY=()
            for index in "${!COMPREPLY[@]}"; do
                printf -v 'COMPREPLY[index]' %q "${COMPREPLY[${index}]}"
            done
            [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" = *: ]] && compopt -o nospace 2>/dev/null
        fi
        # The part up to the last colon stands on the line already.
        COMPREPLY=("${COMPREPLY[@]#"${whole%"${whole##*:}"}"}")
    }

    complete -o filenames -F _snip_with_colons snip

    """#
}
