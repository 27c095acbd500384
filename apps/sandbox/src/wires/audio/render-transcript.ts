import { countTokens, chunksOf, tokensOf } from '../../text/word-tokens.ts';
import { sseFrame } from './sse-frame.ts';
import type { TimedText, Transcript } from './transcript.ts';
import type { TranscriptionParams } from './transcription-request.ts';

const TOKENS_A_SECOND = 10;
const NAMES = new Intl.DisplayNames('en', { type: 'language' });

function usageOf({ seconds, text }: Transcript, { byTokens, prompt }: TranscriptionParams): object {
  if (!byTokens) return { type: 'duration', seconds: Math.ceil(seconds) };
  const input_token_details = { text_tokens: countTokens(prompt), audio_tokens: Math.ceil(seconds * TOKENS_A_SECOND) };
  const input_tokens = input_token_details.text_tokens + input_token_details.audio_tokens;
  const output_tokens = countTokens(text);
  return {
    type: 'tokens',
    total_tokens: input_tokens + output_tokens,
    input_tokens,
    input_token_details,
    output_tokens,
  };
}

function logprobsOf(text: string, { logprobs }: TranscriptionParams): object[] | undefined {
  if (!logprobs) return undefined;
  return tokensOf(text).map((token) => ({ token, bytes: [...Buffer.from(token)], logprob: -0.01 }));
}

function padTwo(value: number): string {
  return String(value).padStart(2, '0');
}

/** Formats a time as `00:00:01.500`, or with a comma for SRT. */
function clock(seconds: number, separator: ',' | '.'): string {
  const ms = Math.round(seconds * 1000);
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  return `${padTwo(hours)}:${padTwo(minutes)}:${padTwo(Math.floor(ms / 1000) % 60)}${separator}${String(ms % 1000).padStart(3, '0')}`;
}

function cue({ text, start, end }: TimedText, separator: ',' | '.'): string {
  return `${clock(start, separator)} --> ${clock(end, separator)}\n${text.trim()}\n`;
}

function verbose(transcript: Transcript, params: TranscriptionParams): object {
  const { text, seconds: duration, segments, words } = transcript;
  const task = params.task;
  const language = (task === 'translate' ? 'english' : (NAMES.of(params.language) ?? '')).toLowerCase();
  const verboseSegments = segments.map((segment, id) => ({
    id,
    seek: 0,
    start: segment.start,
    end: segment.end,
    text: segment.text.trimEnd(),
    tokens: tokensOf(segment.text).map((_, at) => 50_364 + at),
    temperature: params.temperature,
    avg_logprob: -0.2,
    compression_ratio: 1.2,
    no_speech_prob: 0.01,
  }));
  return {
    task,
    language,
    duration,
    text,
    words: params.words ? words.map(({ text: word, start, end }) => ({ word: word.trim(), start, end })) : undefined,
    segments: params.segments ? verboseSegments : undefined,
    usage: usageOf(transcript, params),
  };
}

/** Speakers alternate. Their names are the known speaker names, or letters. */
function diarized({ segments }: Transcript, { speakers }: TranscriptionParams) {
  const names = speakers.length > 0 ? speakers : ['A', 'B'];
  return segments.map(({ text, start, end }, at) => ({
    type: 'transcript.text.segment',
    id: `seg_${at + 1}`,
    start,
    end,
    text: text.trim(),
    speaker: names[at % names.length],
  }));
}

export function renderTranscript(transcript: Transcript, params: TranscriptionParams): object | string {
  const { text, seconds: duration, segments } = transcript;
  const usage = usageOf(transcript, params);
  switch (params.format) {
    case 'json':
      return { text, logprobs: logprobsOf(text, params), usage };
    case 'text':
      return `${text}\n`;
    case 'srt':
      return segments.map((segment, at) => `${at + 1}\n${cue(segment, ',')}\n`).join('');
    case 'vtt':
      return `WEBVTT\n\n${segments.map((segment) => `${cue(segment, '.')}\n`).join('')}`;
    case 'verbose_json':
      return verbose(transcript, params);
    case 'diarized_json':
      return { task: params.task, duration, text, segments: diarized(transcript, params), usage };
  }
}

export function* transcriptEvents(transcript: Transcript, params: TranscriptionParams): Generator<string> {
  const { text } = transcript;
  if (params.format === 'diarized_json') {
    for (const segment of diarized(transcript, params)) yield sseFrame(segment);
  } else {
    for (const delta of chunksOf(text)) {
      yield sseFrame({ type: 'transcript.text.delta', delta, logprobs: logprobsOf(delta, params) });
    }
  }
  const logprobs = logprobsOf(text, params);
  yield sseFrame({ type: 'transcript.text.done', text, logprobs, usage: usageOf(transcript, params) });
}
