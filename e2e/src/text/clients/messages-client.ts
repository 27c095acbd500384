import type Anthropic from '@anthropic-ai/sdk';
import type {
  ClientKind,
  Outcome,
  ImageBlock,
  TextRequest,
  Reply,
  Schema,
  TextClient,
  Turn,
  Usage,
} from './text-client.ts';
import { type AnthropicErrors, anthropicFailure } from './anthropic-failure.ts';
import { collect } from './collect.ts';

type Message = Anthropic.Message;
type Event = Anthropic.RawMessageStreamEvent;

export interface AnthropicSdk {
  name: string;
  Client: (new (options: { baseURL: string; apiKey: string; maxRetries?: number }) => Anthropic) & AnthropicErrors;
  /** The `jsonSchemaOutputFormat` function of this SDK version. */
  outputFormat: (schema: Schema) => Anthropic.JSONOutputFormat;
}

const DEFAULT_MAX_TOKENS = 4_096;
const FINISHES: Readonly<Record<string, Reply['finish']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop_sequence',
  max_tokens: 'length',
  tool_use: 'tools',
};

export function messagesClient({ name, Client, outputFormat }: AnthropicSdk): ClientKind {
  const bodyOf = (request: TextRequest) => ({ ...plainBodyOf(request), ...formatOf(request, outputFormat) });
  return {
    name,
    protocol: 'messages',
    open({ origin, key, maxRetries }): TextClient {
      const anthropic = new Client({
        baseURL: origin,
        apiKey: key,
        ...(maxRetries !== undefined && { maxRetries }),
      });
      return {
        create: async (request) =>
          replyOf(
            request.schema
              ? await anthropic.messages.parse(bodyOf(request), optionsOf(request))
              : await anthropic.messages.create(bodyOf(request), optionsOf(request)),
          ),
        stream: async (request) => {
          const stream = anthropic.messages.stream(bodyOf(request), optionsOf(request));
          const frames: Event[] = await collect(stream);
          return { ...replyOf(await stream.finalMessage()), frames, chunks: frames.flatMap(chunkOf) };
        },
        iterate: async function* (request) {
          yield* await anthropic.messages.create({ ...bodyOf(request), stream: true }, optionsOf(request));
        },
        failureOf: (error) => anthropicFailure(Client, error),
        listModels: async () => (await collect(anthropic.models.list())).map(({ id }) => id),
        count: async (request) => {
          const { max_tokens: _max, stop_sequences: _stop, ...body } = bodyOf(request);
          return (await anthropic.messages.countTokens(body)).input_tokens;
        },
      };
    },
  };
}

function formatOf({ schema }: TextRequest, outputFormat: AnthropicSdk['outputFormat']) {
  return schema ? { output_config: { format: outputFormat(schema) } } : {};
}

function optionsOf({ signal }: TextRequest) {
  return signal ? { signal } : {};
}

function plainBodyOf({ model, system, turns, tools, think, stop, maxTokens = DEFAULT_MAX_TOKENS }: TextRequest) {
  return {
    model,
    max_tokens: maxTokens,
    messages: turns.map(messageOf),
    ...(system !== undefined && { system }),
    ...(tools && {
      tools: tools.map(({ name, description, schema }) => ({
        name,
        description,
        input_schema: { ...schema, type: 'object' as const },
      })),
    }),
    ...(think && { thinking: { type: 'enabled' as const, budget_tokens: 1_024, display: 'summarized' as const } }),
    ...(stop && { stop_sequences: stop }),
  };
}

function messageOf(turn: Turn): Anthropic.MessageParam {
  switch (turn.from) {
    case 'user':
      return { role: 'user', content: turn.image ? withImage(turn.text, turn.image) : turn.text };
    case 'model':
      // The cast is safe because this client created the blocks.
      return { role: 'assistant', content: turn.reply.nativeTurn as Anthropic.ContentBlockParam[] };
    case 'tools':
      return { role: 'user', content: turn.outcomes.map(resultOf) };
  }
}

function withImage(text: string, image: ImageBlock) {
  return [{ type: 'text' as const, text }, imageOf(image)];
}

function imageOf({ data }: ImageBlock) {
  return { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png' as const, data } };
}

function resultOf({ call, text, isError, image }: Outcome) {
  return {
    type: 'tool_result' as const,
    tool_use_id: call.id,
    content: image ? withImage(text, image) : text,
    ...(isError && { is_error: true }),
  };
}

function chunkOf(event: Event): string[] {
  return event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? [event.delta.text] : [];
}

function replyOf(message: Message): Reply {
  const { content, stop_reason: reason } = message;
  return {
    model: message.model,
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    reasoning: content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join('\n\n'),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: block.input }] : [],
    ),
    finish: FINISHES[reason ?? ''] ?? 'other',
    usage: usageOf(message.usage),
    ...('parsed_output' in message && { parsed: message.parsed_output }),
    nativeTurn: content,
  };
}

function usageOf(usage: Anthropic.Usage): Usage {
  const cached = usage.cache_read_input_tokens ?? 0;
  return {
    input: usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
    output: usage.output_tokens,
    cached,
    reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
  };
}
