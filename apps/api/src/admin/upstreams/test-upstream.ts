import {
  type DirectCapabilities,
  type GenerationRequest,
  type TextCapability,
  type TextQuirks,
  UpstreamRefusalError,
  type Usage,
} from '@sluice/canonical';
import {
  chatCompletionsProtocol,
  converseProtocol,
  generativeContentProtocol,
  messagesProtocol,
  responsesProtocol,
  type UpstreamProtocol,
} from '@sluice/protocols';
import { scrubbedFailure } from '../../routing/upstream-failure.ts';

/** Operations of which one call costs almost nothing. */
export const TESTED_OPERATIONS = ['text', 'embedding', 'moderation', 'rerank'] as const;
export type TestedOperation = (typeof TESTED_OPERATIONS)[number];

export interface UpstreamTest {
  upstream: string;
  /** The model's name at the upstream. */
  model: string;
  quirks: TextQuirks | undefined;
  account: DirectCapabilities & { text?: TextCapability };
  signal: AbortSignal;
}

export interface TestOutcome {
  /** The start of the generated text. */
  response?: string;
  usage?: Usage;
  error?: { code: string; message: string };
  upstream_status?: number;
  /** The start of the upstream's error, without credentials. */
  upstream_body?: string;
}

const TEXT = 'Reply with the word OK.';
/** Enough for models that reason before they respond, and almost free. */
const MAX_OUTPUT_TOKENS = 64;
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_SHOWN_CHARACTERS = 1_000;
const NO_FIELDS = { protocol: 'openai', fields: {} } as const;
const PROTOCOLS: Readonly<Record<TextCapability['protocol'], UpstreamProtocol>> = {
  'chat-completions': chatCompletionsProtocol,
  responses: responsesProtocol,
  messages: messagesProtocol,
  'generative-content': generativeContentProtocol,
  converse: converseProtocol,
};

/** Sends one request to an upstream. Its failure is part of the outcome. */
export async function testUpstream(operation: TestedOperation, test: UpstreamTest): Promise<TestOutcome> {
  try {
    return operation === 'text' ? await testText(test) : await testDirect(operation, test);
  } catch (error) {
    const status = error instanceof UpstreamRefusalError ? { upstream_status: error.status } : {};
    const shown = error instanceof UpstreamRefusalError ? error.error : error;
    return { error: shownError(shown, test), ...status };
  }
}

async function testText({ upstream, model, quirks, account: { text }, signal }: UpstreamTest): Promise<TestOutcome> {
  if (!text) throw new Error('the upstream has no text');
  const { protocol: name, account } = text;
  const protocol = PROTOCOLS[name];
  const target = { upstream, account, protocol: name, model, quirks: { ...text.quirks, ...quirks } };
  const request: GenerationRequest = {
    protocol: 'chat-completions',
    model,
    stream: false,
    messages: [{ role: 'user', content: [{ type: 'text', text: TEXT }] }],
    tools: [],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  };
  const body = JSON.stringify(protocol.encodeRequest(request, target, () => undefined));
  const response = await text.open({ operation: 'generate', model, stream: false, body, signal });
  const received = Buffer.from(await response.body.collect(MAX_BODY_BYTES)).toString();
  const { status, headers } = response;
  if (status >= 300) {
    const date = new Date().toUTCString();
    const error = protocol.decodeError({ status, headers: { date, ...headers }, body: parsed(received) });
    const shown = text.scrub(received).slice(0, MAX_SHOWN_CHARACTERS);
    return {
      error: { code: error.code, message: text.scrub(error.message) },
      upstream_status: status,
      upstream_body: shown,
    };
  }
  const generation = protocol.decodeResponse(parsed(received), { target, newId: (prefix) => `${prefix}test` });
  const content = generation.choices[0]?.content ?? [];
  const shown = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  return {
    response: shown.slice(0, MAX_SHOWN_CHARACTERS),
    upstream_status: status,
    ...(generation.usage && { usage: generation.usage }),
  };
}

async function testDirect(
  operation: Exclude<TestedOperation, 'text'>,
  { model, quirks, account, signal }: UpstreamTest,
): Promise<TestOutcome> {
  const call = { model, ...(quirks && { quirks }), signal, report: () => undefined };
  switch (operation) {
    case 'embedding': {
      const params = { inputs: [TEXT], prefersBase64: false, foreign: NO_FIELDS };
      const { vectors = [], inputTokens } = (await account.embedding?.call(params, call)) ?? {};
      return {
        response: `${vectors.length} vector`,
        ...(inputTokens !== undefined && { usage: { inputTokens, outputTokens: 0 } }),
      };
    }
    case 'moderation': {
      const { results = [] } = (await account.moderation?.call({ input: TEXT, foreign: NO_FIELDS }, call)) ?? {};
      return { response: results[0]?.flagged === true ? 'flagged' : 'not flagged' };
    }
    case 'rerank': {
      const params = { query: TEXT, documents: ['OK', 'no'], returnDocuments: false, foreign: NO_FIELDS };
      const { results = [] } = (await account.rerank?.call(params, call)) ?? {};
      return { response: `${results.length} results` };
    }
  }
}

function shownError(error: unknown, { account }: UpstreamTest): { code: string; message: string } {
  const { code, message } = scrubbedFailure(error, (text) => account.text?.scrub(text) ?? text);
  return { code, message };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
