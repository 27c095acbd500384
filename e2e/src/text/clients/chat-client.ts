import OpenAI from 'openai';
import { standardResponseFormat } from 'openai/helpers/standard-schema';
import type { ClientKind, Outcome, ImageBlock, TextRequest, Reply, TextClient, Turn, Usage } from './text-client.ts';
import { collect } from './collect.ts';
import { openaiFailure } from './openai-failure.ts';
import { standardSchema } from './standard-schema.ts';

type Completion = OpenAI.ChatCompletion;
type Chunk = OpenAI.ChatCompletionChunk;
type Message = OpenAI.ChatCompletionMessageParam;

const FINISHES: Readonly<Record<string, Reply['finish']>> = { stop: 'stop', length: 'length', tool_calls: 'tools' };

export const chatClient: ClientKind = {
  name: 'openai 7 chat.completions',
  protocol: 'chat-completions',
  open({ origin, key, maxRetries }): TextClient {
    const openai = new OpenAI({
      baseURL: `${origin}/v1`,
      apiKey: key,
      ...(maxRetries !== undefined && { maxRetries }),
    });
    return {
      create: async (request) => {
        const completion = request.schema
          ? await openai.chat.completions.parse(bodyOf(request), optionsOf(request))
          : await openai.chat.completions.create(bodyOf(request), optionsOf(request));
        return replyOf(completion, reasoningIn(completion.choices[0]?.message));
      },
      stream: async (request) => {
        const stream = openai.chat.completions.stream(
          { ...bodyOf(request), stream_options: { include_usage: true } },
          optionsOf(request),
        );
        const frames: Chunk[] = await collect(stream);
        const deltas = frames.flatMap(({ choices }) => choices.map(({ delta }) => delta));
        const reply = replyOf(await stream.finalChatCompletion(), deltas.map(reasoningIn).join(''));
        return { ...reply, frames, chunks: deltas.flatMap(({ content }) => (content ? [content] : [])) };
      },
      iterate: async function* (request) {
        yield* await openai.chat.completions.create({ ...bodyOf(request), stream: true }, optionsOf(request));
      },
      failureOf: openaiFailure,
      listModels: async () => (await collect(openai.models.list())).map(({ id }) => id),
    };
  },
};

function optionsOf({ signal }: TextRequest) {
  return signal ? { signal } : {};
}

function bodyOf({ model, system, turns, tools, think, schema, stop, maxTokens }: TextRequest) {
  return {
    model,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      ...turns.flatMap(messagesOf),
    ],
    ...(tools && {
      tools: tools.map(({ name, description, schema: parameters }) => ({
        type: 'function' as const,
        function: { name, description, parameters },
      })),
    }),
    ...(think && { reasoning_effort: 'medium' as const }),
    ...(schema && { response_format: standardResponseFormat(standardSchema(schema), 'result') }),
    ...(stop && { stop }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
  };
}

function messagesOf(turn: Turn): Message[] {
  switch (turn.from) {
    case 'user':
      return [{ role: 'user', content: turn.image ? withImage(turn.text, turn.image) : turn.text }];
    case 'model':
      return [turn.reply.nativeTurn as Message]; // The cast is safe because this client created the message.
    case 'tools':
      return turn.outcomes.map(resultOf);
  }
}

function withImage(text: string, { mediaType, data }: ImageBlock): OpenAI.ChatCompletionContentPart[] {
  return [
    { type: 'text', text },
    { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } },
  ];
}

/** Tool results in this protocol have no error flag and no images. */
function resultOf({ call, text, isError }: Outcome): Message {
  return { role: 'tool', tool_call_id: call.id, content: isError ? `Error: ${text}` : text };
}

/** Many vendors return reasoning in this field, but the SDK's types do not contain it. */
function reasoningIn(part: unknown): string {
  return (part as { reasoning_content?: string } | undefined)?.reasoning_content ?? '';
}

function replyOf(completion: Completion, reasoning: string): Reply {
  const [choice] = completion.choices;
  if (!choice) throw new Error('The completion has no choices.');
  const { message, finish_reason: reason } = choice;
  const calls = (message.tool_calls ?? []).flatMap((call) =>
    call.type === 'function'
      ? [{ id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) as unknown }]
      : [],
  );
  return {
    model: completion.model,
    text: message.content ?? '',
    reasoning,
    calls,
    finish: FINISHES[reason] ?? 'other',
    usage: usageOf(completion.usage),
    ...('parsed' in message && { parsed: message.parsed }),
    nativeTurn: withoutParsed(message),
  };
}

/** Removes the `parsed` field that the SDK's helpers add. The SDK's own tool runner does the same. */
function withoutParsed(message: OpenAI.ChatCompletionMessage & { parsed?: unknown }): Message {
  const { parsed: _parsed, ...rest } = message;
  return rest;
}

function usageOf(usage: OpenAI.CompletionUsage | undefined): Usage {
  if (!usage) throw new Error('The completion has no usage.');
  return {
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    total: usage.total_tokens,
  };
}
