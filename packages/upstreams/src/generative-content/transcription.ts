import {
  type DirectCapability,
  GatewayError,
  type LossReport,
  type Transcript,
  type TranscriptFormat,
  type TranscriptionFields,
  type TranscriptionParams,
} from '@sluice/canonical';
import { audioType } from '../audio/audio-type.ts';
import { base64Of } from '../audio/base64-stream.ts';
import { formatToRequest } from '../audio/transcript-formats.ts';
import type { DirectCredential } from '../direct/create-direct-upstream.ts';
import { openDirect, parsed } from '../direct/open-direct.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { googleRefusal } from './google-refusal.ts';
import { modelPath } from './model-path.ts';
import { generatedParts, generatedUsage } from './read-generated.ts';

/** Gemini allows 20 MB per request, including base64 (docs, "Audio understanding"). The rest is for the prompt. */
const MAX_BYTES = 14 * 1024 * 1024;
const RESPONSE_BYTES = 16 * 1024 * 1024;
/** Gemini transcribes without timestamps, so only these formats are supported. */
const FORMATS: readonly TranscriptFormat[] = ['json', 'text'];

export function geminiTranscription(
  account: UpstreamAccount,
  context: UpstreamContext,
  credential: DirectCredential,
): DirectCapability<TranscriptionParams, Transcript> {
  const { open } = openDirect(account, context, credential, googleRefusal);
  return {
    call: async (params, { model, signal, report, traceHeaders }) => {
      if (params.audio.bytes !== undefined && params.audio.bytes > MAX_BYTES) throw tooLarge();
      const mimeType = audioType(params.audio);
      if (mimeType === undefined) {
        throw new GatewayError(
          'invalid_request',
          'The file name must end with the extension of its format, such as `.wav`.',
          {
            param: 'file',
          },
        );
      }
      // Throws before anything is sent if the client's format is not supported.
      formatToRequest(params.known.format ?? 'json', FORMATS);
      if (params.isComplete) reportLosses(params.known, report);
      const response = await open({
        path: `${modelPath(model)}:generateContent`,
        contentType: 'application/json',
        accept: 'application/json',
        body: bodyOf(params, mimeType, report),
        model,
        traceHeaders,
        signal,
      });
      const bytes = await response.body.collect(RESPONSE_BYTES);
      const body = parsed(bytes);
      const parts = generatedParts(body);
      if (parts === undefined) throw response.misunderstood(body);
      const usage = generatedUsage(body);
      const text = parts.map((part) => part.text ?? '').join('');
      return { kind: 'parsed', text: text.trim(), ...(usage && { usage }) };
    },
  };
}

/**
 * Streams the `generateContent` body. The audio comes first, because the form fields for the prompt may follow the
 * audio in the client's form.
 */
async function* bodyOf(params: TranscriptionParams, mimeType: string, report: LossReport): AsyncGenerator<Uint8Array> {
  const head = `{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":${JSON.stringify(mimeType)},"data":"`;
  yield Buffer.from(head);
  yield* base64Of(bounded(params.audio.open()));
  const fields = await params.all();
  formatToRequest(fields.format ?? 'json', FORMATS);
  if (!params.isComplete) reportLosses(fields, report);
  const { temperature } = fields;
  const config = JSON.stringify({ responseModalities: ['TEXT'], ...(temperature !== undefined && { temperature }) });
  const text = JSON.stringify(instruction(params.task, fields));
  yield Buffer.from(`"}},{"text":${text}}]}],"generationConfig":${config}}`);
}

async function* bounded(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw tooLarge();
    yield chunk;
  }
}

function instruction(task: TranscriptionParams['task'], { language, prompt }: TranscriptionFields): string {
  const what =
    task === 'translate'
      ? 'Translate what is said in this audio into English.'
      : 'Transcribe this audio word for word, in the language in which it is spoken.';
  return [
    what,
    'Answer with that text alone: no times, no names of speakers, no remarks. If nothing is said, answer with nothing.',
    ...(language === undefined ? [] : [`The language is ${language}.`]),
    ...(prompt === undefined ? [] : [`What came before, for names and style:\n${prompt}`]),
  ].join('\n');
}

function reportLosses({ granularities, others }: TranscriptionFields, report: LossReport): void {
  if (granularities !== undefined) report({ field: 'timestamp_granularities', how: 'dropped' });
  for (const [field] of others) report({ field, how: 'dropped' });
}

function tooLarge(): GatewayError {
  const what = `The upstream of this model accepts at most ${MAX_BYTES / 1024 ** 2} MiB of audio.`;
  return new GatewayError('payload_too_large', what, { param: 'file' });
}
