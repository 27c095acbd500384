export const MODES = [
  { name: 'chat', title: 'Chat', capability: 'text' },
  { name: 'image', title: 'Images', capability: 'image' },
  { name: 'video', title: 'Video', capability: 'video' },
  { name: 'speech', title: 'Speech', capability: 'speech' },
  { name: 'transcription', title: 'Transcription', capability: 'transcription' },
] as const;

export type Mode = (typeof MODES)[number];

/** Parameters in the URL. `model2` is the model at the right side of a comparison. */
export const PLAYGROUND_PARAMS = ['mode', 'protocol', 'model', 'model2'] as const;

export function modeOf(name: string | undefined): Mode {
  return MODES.find((mode) => mode.name === name) ?? MODES[0];
}
