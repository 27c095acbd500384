import { ApiError, type Content, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai';
import type {
  ClientKind,
  Failure,
  Outcome,
  ImageBlock,
  TextRequest,
  Reply,
  TextClient,
  Turn,
  Usage,
} from './text-client.ts';
import { collect } from './collect.ts';

const FINISHES: Readonly<Record<string, Reply['finish']>> = { STOP: 'stop', MAX_TOKENS: 'length' };

/** @param apiVersion if omitted, the SDK's default applies */
export function generativeClient(apiVersion?: string): ClientKind {
  return {
    name: `@google/genai 3 ${apiVersion ?? 'default'}`,
    protocol: 'generative-content',
    open({ origin, key, maxRetries = 4 }): TextClient {
      const ai = new GoogleGenAI({
        apiKey: key,
        httpOptions: {
          baseUrl: origin,
          ...(apiVersion !== undefined && { apiVersion }),
          // This SDK retries only if retries are configured.
          ...(maxRetries > 0 && { retryOptions: { attempts: maxRetries + 1, initialDelay: 0.1, jitter: 0 } }),
        },
      });
      return {
        create: async (request) => {
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

/** `ApiError` has no subclasses, so the status determines the failure. */
function failureOf(error: unknown): Failure {
  if (error instanceof Error && error.name === 'AbortError') return 'abort';
  if (!(error instanceof ApiError)) return 'other';
  if (error.status === 429) return 'rate-limit';
  if (error.status === 404) return 'not-found';
  if (error.status === 401) return 'authentication';
  if (error.status === 400) return 'bad-request';
  if (error.status < 500) return 'other';
  // Only errors during a stream have this prefix.
  return error.message.startsWith('got status: ') ? 'in-stream' : 'server';
}

function parametersOf({ model, system, turns, tools, think, schema, stop, maxTokens, signal }: TextRequest) {
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
      return turn.reply.nativeTurn as Content[]; // The cast is safe because this client created the contents.
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

/** @param responses all responses of a stream; the SDK's chats store the content of each response separately */
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
    // This SDK does not parse structured output.
    ...(isJson && { parsed: JSON.parse(text) as unknown }),
    nativeTurn: responses.flatMap(({ candidates }) => {
      const content = candidates?.[0]?.content;
      return content?.parts && content.parts.length > 0 ? [content] : [];
    }),
  };
}

function usageOf(usage: GenerateContentResponse['usageMetadata']): Usage {
  if (!usage) throw new Error('The response has no usage.');
  const reasoning = usage.thoughtsTokenCount ?? 0;
  return {
    input: usage.promptTokenCount ?? Number.NaN,
    output: (usage.candidatesTokenCount ?? 0) + reasoning,
    cached: usage.cachedContentTokenCount ?? 0,
    reasoning,
    total: usage.totalTokenCount ?? Number.NaN,
  };
}
