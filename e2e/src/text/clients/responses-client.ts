import OpenAI from 'openai';
import { standardTextFormat } from 'openai/helpers/standard-schema';
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems';
import type { ClientKind, Outcome, ImageBlock, TextRequest, Reply, TextClient, Turn, Usage } from './text-client.ts';
import { collect } from './collect.ts';
import { FailedResponseError, openaiFailure } from './openai-failure.ts';
import { standardSchema } from './standard-schema.ts';

type Item = OpenAI.Responses.ResponseInputItem;
type Response = OpenAI.Responses.Response;
type Event = OpenAI.Responses.ResponseStreamEvent;

export const responsesClient: ClientKind = {
  name: 'openai 7 responses',
  protocol: 'responses',
  open({ origin, key, maxRetries }): TextClient {
    const openai = new OpenAI({
      baseURL: `${origin}/v1`,
      apiKey: key,
      ...(maxRetries !== undefined && { maxRetries }),
    });
    return {
      create: async (request) =>
        replyOf(
          request.schema
            ? await openai.responses.parse(bodyOf(request), optionsOf(request))
            : await openai.responses.create(bodyOf(request), optionsOf(request)),
        ),
      stream: async (request) => {
        const stream = openai.responses.stream(bodyOf(request), optionsOf(request));
        const frames: Event[] = await collect(stream);
        const chunks = frames.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []));
        const reply = replyOf(await stream.finalResponse());
        // `toResponseInputItems` removes the fields that the streaming helper adds.
        return { ...reply, frames, chunks, nativeTurn: toResponseInputItems(reply.nativeTurn as Item[]) };
      },
      iterate: async function* (request) {
        const events = await openai.responses.create({ ...bodyOf(request), stream: true }, optionsOf(request));
        for await (const event of events) {
          if (event.type === 'response.failed') throw failed(event.response);
          yield event;
        }
      },
      failureOf: openaiFailure,
      listModels: async () => (await collect(openai.models.list())).map(({ id }) => id),
      count: async (request) => {
        const { model, input, instructions, tools } = bodyOf(request);
        const body = { model, input, ...(instructions !== undefined && { instructions }), ...(tools && { tools }) };
        return (await openai.responses.inputTokens.count(body)).input_tokens;
      },
    };
  },
};

function optionsOf({ signal }: TextRequest) {
  return signal ? { signal } : {};
}

/** The protocol does not support stop sequences, but the SDK sends unknown fields unchanged. */
function bodyOf({ model, system, turns, tools, think, schema, stop, maxTokens }: TextRequest) {
  return {
    model,
    input: turns.flatMap(itemsOf),
    ...(system !== undefined && { instructions: system }),
    ...(tools && {
      tools: tools.map(({ name, description, schema: parameters }) => ({
        type: 'function' as const,
        name,
        description,
        parameters,
        strict: false,
      })),
    }),
    ...(think && { reasoning: { effort: 'medium' as const, summary: 'auto' as const } }),
    ...(schema && { text: { format: standardTextFormat(standardSchema(schema), 'result') } }),
    ...(stop && { stop }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
  };
}

function itemsOf(turn: Turn): Item[] {
  switch (turn.from) {
    case 'user':
      return [{ role: 'user', content: turn.image ? withImage(turn.text, turn.image) : turn.text }];
    case 'model':
      return turn.reply.nativeTurn as Item[]; // The cast is safe because this client created the items.
    case 'tools':
      return turn.outcomes.map(resultOf);
  }
}

function imageOf({ mediaType, data }: ImageBlock) {
  return { type: 'input_image' as const, image_url: `data:${mediaType};base64,${data}`, detail: 'auto' as const };
}

function withImage(text: string, image: ImageBlock): OpenAI.Responses.ResponseInputContent[] {
  return [{ type: 'input_text', text }, imageOf(image)];
}

/** Tool results in this protocol have no error flag. */
function resultOf({ call, text, isError, image }: Outcome): Item {
  const content = isError ? `Error: ${text}` : text;
  const output = image ? [{ type: 'input_text' as const, text: content }, imageOf(image)] : content;
  return { type: 'function_call_output', call_id: call.id, output };
}

function failed({ error }: Response): FailedResponseError {
  return new FailedResponseError(`${error?.code}: ${error?.message}`);
}

function replyOf(response: Response): Reply {
  if (response.status === 'failed') throw failed(response);
  const calls = response.output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, name: item.name, args: JSON.parse(item.arguments) as unknown }]
      : [],
  );
  const thoughts = response.output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []));
  return {
    model: response.model,
    text: response.output_text,
    reasoning: thoughts.map(({ text }) => text).join('\n\n'),
    calls,
    finish: finishOf(response, calls.length > 0),
    usage: usageOf(response.usage),
    ...('output_parsed' in response && { parsed: response.output_parsed }),
    nativeTurn: response.output,
  };
}

function finishOf({ status, incomplete_details: details }: Response, hasCalls: boolean): Reply['finish'] {
  if (status === 'completed') return hasCalls ? 'tools' : 'stop';
  return details?.reason === 'max_output_tokens' ? 'length' : 'other';
}

function usageOf(usage: OpenAI.Responses.ResponseUsage | undefined): Usage {
  if (!usage) throw new Error('The response has no usage.');
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cached: usage.input_tokens_details.cached_tokens,
    reasoning: usage.output_tokens_details.reasoning_tokens,
    total: usage.total_tokens,
  };
}
