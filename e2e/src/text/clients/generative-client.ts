import { ApiError, type Content, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai';
import type {
  ClientKind,
  Failure,
  Outcome,
  ImageBlock,
  Question,
  Reply,
  TextClient,
  Turn,
  Usage,
} from '../text-client.ts';
import { collect } from './collect.ts';

const FINISHES: Readonly<Record<string, Reply['finish']>> = { STOP: 'stop', MAX_TOKENS: 'length' };

/** `@google/genai`. @param apiVersion absent: the SDK's own default */
export function generativeClient(apiVersion?: string): ClientKind {
  return {
    name: `@google/genai 3 ${apiVersion ?? 'as it comes'}`,
    protocol: 'generative-content',
    open({ origin, key, maxRetries = 4 }): TextClient {
      const ai = new GoogleGenAI({
        apiKey: key,
        httpOptions: {
          baseUrl: origin,
          ...(apiVersion !== undefined && { apiVersion }),
          // This SDK retries only on request.
          ...(maxRetries > 0 && { retryOptions: { attempts: maxRetries + 1, initialDelay: 0.1, jitter: 0 } }),
        },
      });
      return {
        ask: async (request) => {
          const response = await ai.models.generateContent(parametersOf(request));
          return replyOf([response], request.schema !== undefined);
        },
        stream: async (request) => {
          const frames: GenerateContentResponse[] = await collect(
            await ai.models.generateContentStream(parametersOf(request)),
          );
          const chunks = frames.map((frame) => textOf(partsOf(frame))).filter((text) => text !== '');
          return { ...replyOf(frames, request.schema !== undefined), frames, chunks };
        },
        iterate: async function* (request) {
          yield* await ai.models.generateContentStream(parametersOf(request));
        },
        failureOf,
        listModels: async () => {
          const models = await collect(await ai.models.list());
          return models.map(({ name }) => (name ?? '').replace(/^models\//, ''));
        },
        count: async ({ model, turns }) => {
          const { totalTokens } = await ai.models.countTokens({ model, contents: turns.flatMap(contentsOf) });
          return totalTokens ?? Number.NaN;
        },
      };
    },
  };
}

/** `ApiError` has no subclasses; its status decides. An error in a stream has the status of its frame. */
function failureOf(error: unknown): Failure {
  if (error instanceof Error && error.name === 'AbortError') return 'abort';
  if (!(error instanceof ApiError)) return 'other';
  if (error.status === 429) return 'rate-limit';
  if (error.status === 404) return 'not-found';
  if (error.status === 401) return 'authentication';
  if (error.status === 400) return 'bad-request';
  if (error.status < 500) return 'other';
  // The SDK marks errors of a stream by these words alone.
  return error.message.startsWith('got status: ') ? 'in-stream' : 'server';
}

function parametersOf({ model, system, turns, tools, think, schema, stop, maxTokens, signal }: Question) {
  return {
    model,
    contents: turns.flatMap(contentsOf),
    config: {
      ...(system !== undefined && { systemInstruction: system }),
      ...(tools && {
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, schema: parametersJsonSchema }) => ({
              name,
              description,
              parametersJsonSchema,
            })),
          },
        ],
      }),
      ...(think && { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } }),
      ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
      ...(stop && { stopSequences: stop }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(signal && { abortSignal: signal }),
    },
  };
}

function contentsOf(turn: Turn): Content[] {
  switch (turn.from) {
    case 'user':
      return [{ role: 'user', parts: [{ text: turn.text }, ...(turn.image ? [imageOf(turn.image)] : [])] }];
    case 'model':
      return turn.reply.said as Content[]; // this client's own contents of responses
    case 'tools':
      return [{ role: 'user', parts: turn.outcomes.map(resultOf) }];
  }
}

function imageOf({ mediaType, data }: ImageBlock) {
  return { inlineData: { mimeType: mediaType, data } };
}

function resultOf({ call, text, isError, image }: Outcome): Part {
  return {
    functionResponse: {
      ...(call.id !== '' && { id: call.id }),
      name: call.name,
      response: isError ? { error: text } : { output: text },
      ...(image && { parts: [imageOf(image)] }),
    },
  };
}

function partsOf({ candidates }: GenerateContentResponse): Part[] {
  return candidates?.[0]?.content?.parts ?? [];
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text, thought }) => (text !== undefined && !thought ? [text] : [])).join('');
}

/** @param responses the one of a plain call, or all of a stream: the SDK's own chats keep the contents of each */
function replyOf(responses: readonly GenerateContentResponse[], isJson: boolean): Reply {
  const parts = responses.flatMap(partsOf);
  const calls = parts.flatMap(({ functionCall }) =>
    functionCall ? [{ id: functionCall.id ?? '', name: functionCall.name ?? '', args: functionCall.args }] : [],
  );
  const reason = responses.findLast(({ candidates }) => candidates?.[0]?.finishReason)?.candidates?.[0]?.finishReason;
  const finish = FINISHES[reason ?? ''] ?? 'other';
  const text = textOf(parts);
  return {
    model: responses.at(-1)?.modelVersion ?? '',
    text,
    reasoning: parts.flatMap((part) => (part.thought ? [part.text ?? ''] : [])).join(''),
    calls,
    finish: finish === 'stop' && calls.length > 0 ? 'tools' : finish,
    usage: usageOf(responses.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata),
    // The SDK parses nothing by itself.
    ...(isJson && { parsed: JSON.parse(text) as unknown }),
    said: responses.flatMap(({ candidates }) => {
      const content = candidates?.[0]?.content;
      return content?.parts && content.parts.length > 0 ? [content] : [];
    }),
  };
}

function usageOf(usage: GenerateContentResponse['usageMetadata']): Usage {
  if (!usage) throw new Error('a response without usage');
  const reasoning = usage.thoughtsTokenCount ?? 0;
  return {
    input: usage.promptTokenCount ?? Number.NaN,
    output: (usage.candidatesTokenCount ?? 0) + reasoning,
    cached: usage.cachedContentTokenCount ?? 0,
    reasoning,
    total: usage.totalTokenCount ?? Number.NaN,
  };
}
