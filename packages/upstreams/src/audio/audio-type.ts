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

/** Maps nonstandard types, which browsers and mail programs send, to the standard names that Google requires. */
const STANDARD: Readonly<Record<string, string>> = {
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-pn-wav': 'audio/wav',
  'audio/x-mp3': 'audio/mp3',
  'audio/x-mpeg': 'audio/mpeg',
  'audio/x-mpeg-3': 'audio/mpeg',
  'audio/x-aac': 'audio/aac',
  'audio/x-hx-aac-adts': 'audio/aac',
  'audio/x-aiff': 'audio/aiff',
  'audio/x-flac': 'audio/flac',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/x-ogg': 'audio/ogg',
  'application/ogg': 'audio/ogg',
};

/** Returns the client's media type or, without one, the type implied by the file name; undefined if unknown. */
export function audioType({ filename, mediaType }: { filename: string; mediaType: string }): string | undefined {
  const declared = mediaType.toLowerCase();
  if (Object.hasOwn(STANDARD, declared)) return STANDARD[declared];
  if (/^(?:audio|video)\/[\w.+-]+$/.test(declared)) return declared;
  const ending = /\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
}
