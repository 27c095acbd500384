import {
  checkError,
  type Effort,
  emptyReply,
  isObject,
  numberOf,
  objectAt,
  objectsIn,
  parseArgs,
  present,
  type Reply,
  splitDataUrl,
  type TextProtocol,
  textOf,
  type Turn,
} from './text-protocol.ts';

const ID = 'generate';
const BUDGETS: Readonly<Record<Exclude<Effort, ''>, number>> = { low: 1_024, medium: 4_096, high: 16_384 };

/** `POST /v1beta/models/{model}:generateContent`, or `:streamGenerateContent`. */
export const generateContent: TextProtocol = {
  id: ID,
  title: 'generateContent',
  createRequest: ({ model, system, stream, effort, maxTokens, temperature, tools }, turns) => {
    const config = present({
      maxOutputTokens: maxTokens,
      temperature,
      thinkingConfig: effort === '' ? undefined : { includeThoughts: true, thinkingBudget: BUDGETS[effort] },
    });
    return {
      method: 'POST',
      path: `/v1beta/models/${pathOf(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      json: present({
        contents: turns.map(contentOf),
        systemInstruction: system === '' ? undefined : { parts: [{ text: system }] },
        tools: tools.length === 0 ? undefined : [{ functionDeclarations: tools }],
        generationConfig: Object.keys(config).length === 0 ? undefined : config,
      }),
    };
  },
  createReader: () => {
    const reply = emptyReply();
    const parts: Record<string, unknown>[] = [];
    const read = (data: unknown): void => {
      checkError(data);
      readChunk(reply, parts, data);
    };
    return { reply, event: read, body: read };
  },
};

/** Names of models can have slashes, which stay in the path. */
function pathOf(model: string): string {
  return model.split('/').map(encodeURIComponent).join('/');
}

function contentOf(turn: Turn): Record<string, unknown> {
  switch (turn.role) {
    case 'user': {
      const images = turn.images.map((url) => {
        const { type, data } = splitDataUrl(url);
        return { inlineData: { mimeType: type, data } };
      });
      return { role: 'user', parts: [...(turn.text === '' ? [] : [{ text: turn.text }]), ...images] };
    }
    case 'assistant': {
      const { text, toolCalls, native } = turn.reply;
      if (native?.protocol === ID) return { role: 'model', parts: native.value };
      const calls = toolCalls.map(({ id, name, args }) => ({ functionCall: { id, name, args: parseArgs(args) } }));
      return { role: 'model', parts: [...(text === '' ? [] : [{ text }]), ...calls] };
    }
    case 'tool': {
      const parts = turn.results.map(({ call: { id, name }, output }) => ({
        functionResponse: { ...(id !== '' && { id }), name, response: { result: output } },
      }));
      return { role: 'user', parts };
    }
  }
}

function readChunk(reply: Reply, all: Record<string, unknown>[], data: unknown): void {
  if (!isObject(data)) return;
  const [candidate] = objectsIn(data['candidates']);
  const parts = objectsIn(objectAt(candidate, 'content')['parts']);
  all.push(...parts);
  for (const part of parts) {
    if (part['thought'] === true) reply.reasoning += textOf(part['text']);
    else reply.text += textOf(part['text']);
    const { functionCall: call, inlineData: file } = part;
    if (isObject(call)) {
      const { id, name, args } = call;
      reply.toolCalls.push({ id: textOf(id), name: textOf(name), args: JSON.stringify(args ?? {}) });
    }
    if (isObject(file)) reply.images.push(`data:${textOf(file['mimeType'])};base64,${textOf(file['data'])}`);
  }
  const blocked = textOf(objectAt(data, 'promptFeedback')['blockReason']);
  reply.finish = blocked || textOf(candidate?.['finishReason']) || reply.finish;
  const usage = objectAt(data, 'usageMetadata');
  const [input, output] = [numberOf(usage['promptTokenCount']), numberOf(usage['candidatesTokenCount'])];
  if (input !== undefined || output !== undefined) reply.usage = { input, output };
  reply.native = { protocol: ID, value: [...all] };
}
