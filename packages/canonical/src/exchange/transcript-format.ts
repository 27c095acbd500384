export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;

export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];
