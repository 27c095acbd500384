import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  CountTokensCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../start-sandbox.ts';

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

type Config = ConstructorParameters<typeof BedrockRuntimeClient>[0];

function client(more: Config = {}): BedrockRuntimeClient {
  const credentials = { accessKeyId: 'ak-sandbox', secretAccessKey: 'sk-sandbox' };
  return new BedrockRuntimeClient({
    endpoint: `${sandbox.url}/bedrock`,
    region: 'us-east-1',
    maxAttempts: 1,
    // The SDK uses HTTP/2 by default, which the sandbox does not serve.
    requestHandler: new NodeHttpHandler(),
    credentials,
    ...more,
  });
}

const bearer = (token: string) => client({ token: { token }, authSchemePreference: ['httpBearerAuth'] });

const MODEL = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const say = (text: string, more: Partial<ConverseCommandInput> = {}): ConverseCommandInput => ({
  modelId: MODEL,
  messages: [{ role: 'user', content: [{ text }] }],
  ...more,
});
const clock = { toolSpec: { name: 'clock', inputSchema: { json: { type: 'object' } } } };

describe('AWS’s SDK', () => {
  it('signs a request, and reads the response', async () => {
    const { output, stopReason, usage } = await client().send(new ConverseCommand(say('Hello there')));
    expect(output?.message).toEqual({ role: 'assistant', content: [{ text: 'You said: Hello there' }] });
    expect([stopReason, usage]).toMatchObject(['end_turn', { inputTokens: 2, outputTokens: 4, totalTokens: 6 }]);
  });

  it('sends a Bedrock API key', async () => {
    const { stopReason } = await bearer('sk-sandbox').send(new ConverseCommand(say('Hi')));
    expect(stopReason).toBe('end_turn');
    await expect(bearer('wrong').send(new ConverseCommand(say('Hi')))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });

  it('reads a stream with reasoning, calls, and usage', async () => {
    const input = say('[tool:clock] Now?', {
      toolConfig: { tools: [clock] },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } },
    });
    const { stream } = await client().send(new ConverseStreamCommand(input));
    const events = [];
    for await (const event of stream ?? []) events.push(event);
    const names = [...new Set(events.map((event) => Object.keys(event)[0]))];
    expect(names).toEqual([
      'messageStart',
      'contentBlockDelta',
      'contentBlockStop',
      'contentBlockStart',
      'messageStop',
      'metadata',
    ]);
    const start = events.find((event) => event.contentBlockStart)?.contentBlockStart?.start;
    expect(start?.toolUse).toMatchObject({ name: 'clock', toolUseId: expect.stringMatching(/^tooluse_/) });
    expect(events.find((event) => event.messageStop)?.messageStop?.stopReason).toBe('tool_use');
  });

  it('throws the exception inside a stream', async () => {
    const { stream } = await client().send(new ConverseStreamCommand(say('one two three four five [error]')));
    const read = async () => {
      for await (const event of stream ?? []) expect(event).toBeDefined();
    };
    await expect(read()).rejects.toMatchObject({ name: 'ServiceUnavailableException' });
  });

  it('counts tokens', async () => {
    const { messages } = say('one two three');
    const command = new CountTokensCommand({ modelId: MODEL, input: { converse: { messages } } });
    expect((await client().send(command)).inputTokens).toBe(3);
  });

  it.each([
    ['[429] a', 'ThrottlingException'],
    ['[500] b', 'InternalServerException'],
    ['[overloaded]', 'ServiceUnavailableException'],
    ['[context]', 'ValidationException'],
    ['[401]', 'UnrecognizedClientException'],
  ])('throws for %s', async (text, name) => {
    await expect(client().send(new ConverseCommand(say(text)))).rejects.toMatchObject({ name });
  });

  it('is refused with a wrong secret', async () => {
    const credentials = { accessKeyId: 'ak-sandbox', secretAccessKey: 'wrong' };
    await expect(client({ credentials }).send(new ConverseCommand(say('Hi')))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
    });
  });
});
