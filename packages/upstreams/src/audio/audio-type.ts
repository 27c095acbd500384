/** Types of audio by the ends of file names. */
const TYPES: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mp3',
  mp4: 'audio/mp4',
  mpeg: 'audio/mpeg',
  mpga: 'audio/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  webm: 'audio/webm',
};

/** What a file is: what its client says, unless that is nothing, then by its name. Undefined: neither tells. */
export function audioType({ filename, mediaType }: { filename: string; mediaType: string }): string | undefined {
  if (/^(?:audio|video)\/[\w.+-]+$/i.test(mediaType)) return mediaType.toLowerCase();
  return TYPES[/\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''];
}
