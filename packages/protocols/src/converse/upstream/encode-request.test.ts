import type { GenerationRequest, Loss, TextQuirks } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTarget } from '../../../test/text-exchange.ts';
import { encodeRequest } from './encode-request.ts';

const CLAUDE = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const USER: GenerationRequest['messages'] = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];

function encode(more: Partial<GenerationRequest>, model = CLAUDE, quirks: TextQuirks = {}) {
  const losses: string[] = [];
  const base = { protocol: 'messages', model: 'x', stream: false } as const;
  const request: GenerationRequest = { ...base, messages: USER, tools: [], ...more };
  const report = ({ field, how }: Loss) => void losses.push(`${field} ${how}`);
  const body = encodeRequest(request, createTarget('converse', { model, quirks }), report);
  return { body: JSON.parse(JSON.stringify(body)) as Record<string, unknown>, losses };
}

const tool = { kind: 'function', name: 'clock' } as const;
const call = { type: 'tool-call', callId: 'a', name: 'clock', kind: 'function', arguments: '{}' } as const;
const toolTurns: GenerationRequest['messages'] = [
  ...USER,
  { role: 'assistant', content: [call] },
  { role: 'user', content: [{ type: 'tool-result', callId: 'a', kind: 'function', content: [], isError: true }] },
];

describe('the body', () => {
  it('contains neither the model nor unset fields', () => {
    expect(encode({})).toEqual({ body: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] }, losses: [] });
  });

  it('clamps a temperature to Converse’s maximum', () => {
    const { body, losses } = encode({ temperature: 1.7, maxOutputTokens: 9, stop: ['END', ' '] }, 'meta.llama3');
    expect(body['inferenceConfig']).toEqual({ maxTokens: 9, temperature: 1, stopSequences: ['END'] });
    expect(losses).toEqual(['temperature clamped', 'stop dropped']);
  });

  it.each([
    [CLAUDE, { top_k: 5 }],
    ['amazon.nova-pro-v1:0', { inferenceConfig: { topK: 5 } }],
    ['cohere.command-r-plus-v1:0', { k: 5 }],
    ['meta.llama3-3-70b-instruct-v1:0', undefined],
  ])('sends top_k to %s as %j', (model, fields) => {
    const { body, losses } = encode({ topK: 5 }, model);
    expect(body['additionalModelRequestFields']).toEqual(fields);
    expect(losses).toEqual(fields ? [] : ['top_k dropped']);
  });

  it('requests Claude’s stop sequence only if there are any', () => {
    expect(encode({ stop: ['END'] }).body['additionalModelResponseFieldPaths']).toEqual(['/stop_sequence']);
    expect(encode({ stop: ['END'] }, 'amazon.nova-pro-v1:0').body).not.toHaveProperty(
      'additionalModelResponseFieldPaths',
    );
  });

  it('drops metadata that Bedrock rejects', () => {
    const { body, losses } = encode({ metadata: { team: 'a-1', note: 'grüß', ['x'.repeat(300)]: '1' } });
    expect([body['requestMetadata'], losses]).toEqual([{ team: 'a-1' }, ['metadata dropped']]);
  });

  it('rejects an empty conversation', () => {
    expect(() => encode({ messages: [] })).toThrow('messages must have at least one message that is not empty.');
  });
});

describe('reasoning', () => {
  it('gives Claude a budget below the output limit', () => {
    const { body } = encode({ reasoning: { budgetTokens: 2048 }, maxOutputTokens: 8000 });
    expect(body).toMatchObject({
      inferenceConfig: { maxTokens: 8000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2048 } },
    });
  });

  it('gives the newest Claude models an effort', () => {
    const { body } = encode({ reasoning: { effort: 'xhigh' } }, 'us.anthropic.claude-opus-5-5-v1:0');
    expect(body).toMatchObject({
      additionalModelRequestFields: { thinking: { type: 'adaptive' } },
      outputConfig: { effort: 'xhigh' },
    });
  });

  it.each([
    [{}, 'high', []],
    [{ maxOutputTokens: 100 }, 'medium', ['reasoning clamped']],
  ])('gives Nova 2 an effort that its other settings %j allow', (more, effort, expected) => {
    const { body, losses } = encode({ reasoning: { effort: 'high' }, ...more }, 'amazon.nova-2-lite-v1:0');
    const reasoningConfig = { type: 'enabled', maxReasoningEffort: effort };
    expect([body['additionalModelRequestFields'], losses]).toEqual([{ reasoningConfig }, expected]);
  });

  it('is switched off at Nova 2, and reduced at models that always reason', () => {
    const off = { reasoning: { enabled: false } };
    expect(encode(off, 'amazon.nova-2-lite-v1:0').body['additionalModelRequestFields']).toEqual({
      reasoningConfig: { type: 'disabled' },
    });
    const { body, losses } = encode(off, 'openai.gpt-oss-120b-1:0');
    expect([body['additionalModelRequestFields'], losses]).toEqual([
      { reasoning_effort: 'low' },
      ['reasoning replaced'],
    ]);
  });

  it('is a loss at other models, unless a quirk enables it', () => {
    const request = { reasoning: { effort: 'low' } } as const;
    expect(encode(request, 'meta.llama3').losses).toEqual(['reasoning dropped']);
    const arn = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc';
    const { body, losses } = encode(request, arn, { thinking: 'budget' });
    expect(losses).toEqual([]);
    expect(body).toMatchObject({ additionalModelRequestFields: { thinking: { type: 'enabled' } } });
  });
});

describe('tools', () => {
  it.each([
    [CLAUDE, { type: 'tool', name: 'clock' }, { tool: { name: 'clock' } }],
    ['amazon.nova-pro-v1:0', { type: 'required' }, { any: {} }],
    ['mistral.mistral-large-2407-v1:0', { type: 'required' }, { any: {} }],
    [CLAUDE, { type: 'auto' }, undefined],
  ] as const)('are forced at %s with %j', (model, toolChoice, expected) => {
    const { body, losses } = encode({ tools: [tool], toolChoice }, model);
    expect([(body['toolConfig'] as { toolChoice?: object }).toolChoice, losses]).toEqual([expected, []]);
  });

  it('are requested by an instruction if the model cannot be forced', () => {
    const { body, losses } = encode({ tools: [tool], toolChoice: { type: 'tool', name: 'clock' } }, 'meta.llama3');
    expect(body['system']).toEqual([{ text: 'You must call the tool clock.' }]);
    expect(losses).toEqual(['tool_choice replaced']);
  });

  it('are omitted for the choice `none`, which Converse lacks', () => {
    const { body, losses } = encode({ tools: [tool], toolChoice: { type: 'none' } });
    expect([body['toolConfig'], losses]).toEqual([undefined, ['tools dropped']]);
  });

  it('are declared if the conversation has calls', () => {
    const { body } = encode({ messages: toolTurns });
    const toolSpec = { name: 'clock', inputSchema: { json: { type: 'object', properties: {} } } };
    expect(body).toMatchObject({ toolConfig: { tools: [{ toolSpec }] }, system: [{ text: 'Do not call any tool.' }] });
  });

  it('have a status only for errors, and never an empty result', () => {
    const { body } = encode({ messages: toolTurns, tools: [tool] });
    expect(body['messages']).toContainEqual({
      role: 'user',
      content: [{ toolResult: { toolUseId: 'a', content: [{ text: '(no output)' }], status: 'error' } }],
    });
  });
});

describe('cache points', () => {
  const cache = { ttl: '1h' };
  const marked: Partial<GenerationRequest> = {
    tools: [{ ...tool, cache: {} }],
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache }] },
      { role: 'user', content: [{ type: 'text', text: 'Hi', cache: {} }] },
    ],
  };
  const point = { cachePoint: { type: 'default' } };

  it('follow the blocks they cover', () => {
    const { body, losses } = encode(marked);
    expect(losses).toEqual([]);
    expect(body).toMatchObject({
      system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default', ttl: '1h' } }],
      messages: [{ content: [{ text: 'Hi' }, point] }],
      toolConfig: { tools: [{ toolSpec: { name: 'clock' } }, point] },
    });
  });

  it.each([
    ['amazon.nova-pro-v1:0', 2],
    ['meta.llama3', 0],
  ])('at %s are limited to %i', (model, count) => {
    const { body, losses } = encode(marked, model);
    expect(JSON.stringify(body).split('cachePoint').length - 1).toBe(count);
    expect(losses).toEqual(['cache_control dropped']);
  });

  it('are at most four', () => {
    const content = Array.from({ length: 5 }, () => ({ type: 'text', text: 'a', cache: {} }) as const);
    const { body, losses } = encode({ messages: [{ role: 'user', content }], cache: { auto: {} } });
    expect(JSON.stringify(body).split('cachePoint').length - 1).toBe(4);
    expect(losses).toEqual(['cache_control dropped']);
  });
});

describe('structured output', () => {
  const format = { type: 'schema', name: 'city', schema: { type: 'object', properties: {} } } as const;

  it('is native where the model supports it', () => {
    const { body, losses } = encode({ format });
    const schema = JSON.stringify({ type: 'object', properties: {}, additionalProperties: false });
    expect(body['outputConfig']).toEqual({
      textFormat: { type: 'json_schema', structure: { jsonSchema: { schema, name: 'city' } } },
    });
    expect(losses).toEqual([]);
  });

  it('is an instruction elsewhere', () => {
    const { body, losses } = encode({ format }, 'meta.llama3');
    expect(JSON.stringify(body['system'])).toContain('Respond with JSON that fits this schema');
    expect(losses).toEqual(['response_format replaced']);
  });
});

const turn = (...content: GenerationRequest['messages'][number]['content']) => ({
  messages: [{ role: 'user' as const, content }],
});
const url = (text: string, kind: 'image' | 'document' | 'video' = 'image') =>
  ({ type: 'media', kind, source: { from: 'url', url: text } }) as const;

describe('media', () => {
  it('is sent as bytes or as an S3 object', () => {
    const { body } = encode(turn(url('data:image/jpeg;base64,AAAA'), url('s3://bucket/a.mp4', 'video')));
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { image: { format: 'jpeg', source: { bytes: 'AAAA' } } },
          { video: { format: 'mp4', source: { s3Location: { uri: 's3://bucket/a.mp4' } } } },
        ],
      },
    ]);
  });

  it('is refused as another URL or type', () => {
    expect(() => encode(turn(url('https://a.example/a.png')))).toThrow('cannot fetch this URL');
    expect(() => encode(turn(url('data:image/bmp;base64,AAAA')))).toThrow('The media type `image/bmp`');
  });

  it('gives a document a valid name, and a text beside it', () => {
    const source = { from: 'base64', mediaType: 'application/pdf', data: 'AAAA' } as const;
    const { body } = encode(turn({ type: 'media', kind: 'document', name: 'my_report (v2).pdf', source }));
    expect(body['messages']).toMatchObject([
      { content: [{ document: { format: 'pdf', name: 'my report (v2) pdf' } }, { text: '(document)' }] },
    ]);
  });
});
