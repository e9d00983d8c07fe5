#ifdef SNIPPET_MEDIA

#include "sound_stream.h"

#include <stdio.h>
#include <string.h>

enum {
  // Plain samples come in larger pieces, which are read directly into their packets.
  buffer_byte_count = 1 << 15,
  // The number of packets without reading between two calls of the callback.
  packets_between_questions = 64
};

static int is_stopped(struct sound_stream *stream) {
  if (!stream->is_stopped)
    stream->is_stopped = stream->stop(stream->context, stream->found_count) != 0;
  return stream->is_stopped;
}

static int read_bytes(void *opaque, uint8_t *buffer, int count) {
  struct sound_stream *stream = opaque;
  struct snippet_sound_source *source = stream->source;
  if (is_stopped(stream)) return AVERROR_EXIT;
  if (count <= 0 || source->offset >= source->byte_count) return AVERROR_EOF;
  int64_t rest = source->byte_count - source->offset;
  int64_t read = source->read(source->context, buffer, count < rest ? count : rest, source->offset);
  if (read <= 0) return AVERROR_EOF;
  source->offset += read;
  return (int)read;
}

static int64_t seek(void *opaque, int64_t offset, int whence) {
  struct snippet_sound_source *source = ((struct sound_stream *)opaque)->source;
  whence &= ~AVSEEK_FORCE;
  if (whence == AVSEEK_SIZE) return source->byte_count;
  int64_t base = whence == SEEK_CUR ? source->offset : whence == SEEK_END ? source->byte_count : 0;
  int64_t place;
  // Offsets come from files.
  if (__builtin_add_overflow(base, offset, &place) || place < 0) return AVERROR(EINVAL);
  source->offset = place;
  return place;
}

// A file may name other files, and addresses in the network.
static int refuse(AVFormatContext *format, AVIOContext **bytes, const char *url, int flags,
                  AVDictionary **options) {
  (void)format;
  (void)bytes;
  (void)url;
  (void)flags;
  (void)options;
  return AVERROR(EPERM);
}

// The codecs of recordings; the library has hundreds more, and few of them are maintained well. All
// of these are its own: others depend on further libraries, and differ from one build to the next.
static int is_allowed(const AVCodec *decoder) {
  if (decoder->wrapper_name) return 0;
  switch (decoder->id) {
    case AV_CODEC_ID_AAC:
    case AV_CODEC_ID_ALAC:
    case AV_CODEC_ID_AMR_NB:
    case AV_CODEC_ID_AMR_WB:
    case AV_CODEC_ID_FLAC:
    case AV_CODEC_ID_MP3:
    case AV_CODEC_ID_OPUS:
    case AV_CODEC_ID_SPEEX:
    case AV_CODEC_ID_VORBIS:
    case AV_CODEC_ID_PCM_ALAW:
    case AV_CODEC_ID_PCM_MULAW:
    case AV_CODEC_ID_PCM_S8:
    case AV_CODEC_ID_PCM_U8:
    case AV_CODEC_ID_PCM_S16BE:
    case AV_CODEC_ID_PCM_S16LE:
    case AV_CODEC_ID_PCM_S24BE:
    case AV_CODEC_ID_PCM_S24LE:
    case AV_CODEC_ID_PCM_S32BE:
    case AV_CODEC_ID_PCM_S32LE:
    case AV_CODEC_ID_PCM_F32BE:
    case AV_CODEC_ID_PCM_F32LE:
    case AV_CODEC_ID_PCM_F64BE:
    case AV_CODEC_ID_PCM_F64LE:
    case AV_CODEC_ID_ADPCM_IMA_QT:
    case AV_CODEC_ID_ADPCM_IMA_WAV:
    case AV_CODEC_ID_ADPCM_MS:
    case AV_CODEC_ID_GSM:
    case AV_CODEC_ID_GSM_MS:
      return 1;
    default:
      return 0;
  }
}

static int fail(struct sound_stream *stream, int error, struct snippet_libav_reason *reason) {
  if (stream->is_stopped) return snippet_libav_stopped;
  if (stream->library->av_strerror(error, reason->text, sizeof reason->text) != 0)
    reason->text[0] = 0;
  return error == AVERROR_DEMUXER_NOT_FOUND || error == AVERROR_DECODER_NOT_FOUND
             ? snippet_libav_no_decoder
             : snippet_libav_damaged;
}

static int open_format(struct sound_stream *stream, const char *demuxer) {
  const struct libav_library *library = stream->library;
  const AVInputFormat *input = library->av_find_input_format(demuxer);
  if (!input) return AVERROR_DEMUXER_NOT_FOUND;
  stream->format = library->avformat_alloc_context();
  uint8_t *buffer = library->av_malloc(buffer_byte_count);
  if (buffer)
    stream->bytes = library->avio_alloc_context(buffer, buffer_byte_count, 0, stream, read_bytes,
                                                NULL, seek);
  if (!stream->format || !stream->bytes) {
    if (!stream->bytes) library->av_free(buffer);
    return AVERROR(ENOMEM);
  }
  stream->format->pb = stream->bytes;
  stream->format->io_open = refuse;
  // Otherwise it would hold back plain samples until it knows that they are no other coding in
  // disguise.
  stream->format->max_probe_packets = 0;
  // The frames of AAC are looked for within this many bytes, where a file begins within one; as many
  // as a store looks through.
  stream->format->probesize = strcmp(demuxer, "aac") == 0 ? 1 << 14 : 32;
  AVDictionary *options = NULL;
  library->av_dict_set(&options, "format_whitelist", demuxer, 0);
  library->av_dict_set(&options, "protocol_whitelist", "none", 0);
  // Plain samples otherwise come in pieces of 4 KiB, which are expensive.
  library->av_dict_set(&options, "max_size", "65536", 0);
  int error = library->avformat_open_input(&stream->format, NULL, input, &options);
  library->av_dict_free(&options);
  return error;
}

static int open_codec(struct sound_stream *stream) {
  const struct libav_library *library = stream->library;
  for (unsigned index = 0; index < stream->format->nb_streams; index++) {
    AVStream *track = stream->format->streams[index];
    int is_first = !stream->track && track->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    if (is_first) stream->track = track;
    track->discard = is_first ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
  if (!stream->track) return AVERROR_STREAM_NOT_FOUND;
  const AVCodec *decoder = library->avcodec_find_decoder(stream->track->codecpar->codec_id);
  if (!decoder || !is_allowed(decoder)) return AVERROR_DECODER_NOT_FOUND;
  stream->codec = library->avcodec_alloc_context3(decoder);
  if (!stream->codec) return AVERROR(ENOMEM);
  int error = library->avcodec_parameters_to_context(stream->codec, stream->track->codecpar);
  if (error < 0) return error;
  stream->codec->pkt_timebase = stream->track->time_base;
  // A worker needs no more, and its filter of system calls is made for one thread.
  stream->codec->thread_count = 1;
  return library->avcodec_open2(stream->codec, decoder, NULL);
}

int sound_stream_open(struct sound_stream *stream, const char *demuxer,
                      struct snippet_libav_reason *reason) {
  stream->source->offset = 0;
  stream->packet = stream->library->av_packet_alloc();
  stream->frame = stream->library->av_frame_alloc();
  int error = stream->packet && stream->frame ? open_format(stream, demuxer) : AVERROR(ENOMEM);
  if (error >= 0) error = open_codec(stream);
  return error < 0 ? fail(stream, error, reason) : snippet_libav_done;
}

// Gives the decoder a packet, or tells it that there are no more.
static void supply(struct sound_stream *stream) {
  const struct libav_library *library = stream->library;
  int error = library->av_read_frame(stream->format, stream->packet);
  if (error < 0) {
    if (error != AVERROR_EOF) stream->last_error = error;
    stream->has_ended = 1;
    library->avcodec_send_packet(stream->codec, NULL);
    return;
  }
  if (stream->packet->stream_index == stream->track->index) {
    stream->packet_count++;
    error = library->avcodec_send_packet(stream->codec, stream->packet);
    if (error < 0) {
      stream->damaged_count++;
      stream->last_error = error;
    }
  }
  library->av_packet_unref(stream->packet);
}

int sound_stream_next(struct sound_stream *stream) {
  for (int count = 1; !stream->is_stopped; count++) {
    int error = stream->library->avcodec_receive_frame(stream->codec, stream->frame);
    if (error >= 0) {
      if (stream->frame->nb_samples > 0 && stream->frame->ch_layout.nb_channels > 0) return 1;
      continue;
    }
    if (error != AVERROR(EAGAIN) && error != AVERROR_EOF) {
      stream->damaged_count++;
      stream->last_error = error;
    }
    if (stream->has_ended) return 0;
    if (count % packets_between_questions == 0 && is_stopped(stream)) return 0;
    supply(stream);
  }
  return 0;
}

int64_t sound_stream_announced(const struct sound_stream *stream, int sample_rate) {
  const struct libav_library *library = stream->library;
  const AVCodecParameters *parameters = stream->track->codecpar;
  AVRational sample = {1, sample_rate};
  AVRational microsecond = {1, AV_TIME_BASE};
  int64_t count = -1;
  if (stream->track->duration != AV_NOPTS_VALUE && stream->track->duration > 0)
    count = library->av_rescale_q(stream->track->duration, stream->track->time_base, sample);
  else if (stream->format->duration != AV_NOPTS_VALUE && stream->format->duration > 0)
    count = library->av_rescale_q(stream->format->duration, microsecond, sample);
  // A stream written into a pipe, or never finished, may claim the largest possible number.
  int64_t bit_count = (int64_t)parameters->bits_per_coded_sample * parameters->ch_layout.nb_channels;
  int is_plain = parameters->codec_id >= AV_CODEC_ID_FIRST_AUDIO &&
                 parameters->codec_id < AV_CODEC_ID_ADPCM_IMA_QT;
  if (is_plain && bit_count > 0) {
    int64_t most = (int64_t)((__int128)stream->source->byte_count * 8 / bit_count);
    if (count > most) count = most;
  }
  return count;
}

void sound_stream_close(struct sound_stream *stream) {
  const struct libav_library *library = stream->library;
  library->av_frame_free(&stream->frame);
  library->av_packet_free(&stream->packet);
  library->avcodec_free_context(&stream->codec);
  library->avformat_close_input(&stream->format);
  // The library may have replaced the buffer that it was given.
  if (stream->bytes) library->av_free(stream->bytes->buffer);
  library->avio_context_free(&stream->bytes);
}

#endif
