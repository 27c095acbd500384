interface ClientInput {
  /** Base URL of Sluice, without a slash at the end. */
  origin: string;
  model: string;
}

export interface Client {
  name: string;
  title: string;
  note: string;
  parts: (input: ClientInput) => { what: string; code: string }[];
}

/** Settings of clients, as `docs/use/agents.md` and `docs/use/sdks.md` describe them. */
export const CLIENTS: readonly [Client, ...Client[]] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    note: 'Set CLAUDE_CODE_MAX_CONTEXT_TOKENS to the context window of the model.',
    parts: ({ origin, model }) => [
      {
        what: 'Shell',
        code: `export ANTHROPIC_BASE_URL=${origin}
export ANTHROPIC_AUTH_TOKEN="$SLUICE_KEY"
export ANTHROPIC_MODEL=${model}
export ANTHROPIC_DEFAULT_HAIKU_MODEL=${model}
claude`,
      },
    ],
  },
  {
    name: 'codex',
    title: 'Codex',
    note: 'Codex reads the variable by its name.',
    parts: ({ origin, model }) => [
      {
        what: '~/.codex/config.toml',
        code: `model = "${model}"
model_provider = "sluice"

[model_providers.sluice]
name = "Sluice"
base_url = "${origin}/v1"
env_key = "SLUICE_KEY"
wire_api = "responses"`,
      },
      { what: 'Shell', code: 'codex' },
    ],
  },
  {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    note: 'Select the sign-in with an API key.',
    parts: ({ origin, model }) => [
      {
        what: 'Shell',
        code: `export GOOGLE_GEMINI_BASE_URL=${origin}
export GEMINI_API_KEY="$SLUICE_KEY"
gemini --model ${model}`,
      },
    ],
  },
  {
    name: 'openai',
    title: 'OpenAI SDK',
    note: 'It also calls videos, images, and audio.',
    parts: ({ origin, model }) => [
      {
        what: 'Python',
        code: `import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["SLUICE_KEY"])
response = client.responses.create(model="${model}", input="Hello!")
print(response.output_text)`,
      },
      {
        what: 'TypeScript',
        code: `import OpenAI from 'openai';

const client = new OpenAI({ apiKey: process.env.SLUICE_KEY, baseURL: '${origin}/v1' });
const response = await client.responses.create({ model: '${model}', input: 'Hello!' });
console.log(response.output_text);`,
      },
    ],
  },
  {
    name: 'anthropic',
    title: 'Anthropic SDK',
    note: 'It can call every text model.',
    parts: ({ origin, model }) => [
      {
        what: 'Python',
        code: `import os
from anthropic import Anthropic

client = Anthropic(base_url="${origin}", api_key=os.environ["SLUICE_KEY"])
messages = [{"role": "user", "content": "Hello!"}]
response = client.messages.create(model="${model}", max_tokens=256, messages=messages)
print(response.content)`,
      },
      {
        what: 'TypeScript',
        code: `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ apiKey: process.env.SLUICE_KEY, baseURL: '${origin}' });
const messages = [{ role: 'user', content: 'Hello!' }];
const response = await client.messages.create({ model: '${model}', max_tokens: 256, messages });
console.log(response.content);`,
      },
    ],
  },
  {
    name: 'google',
    title: 'Google SDK',
    note: 'It can call every text model.',
    parts: ({ origin, model }) => [
      {
        what: 'Python',
        code: `import os
from google import genai

client = genai.Client(api_key=os.environ["SLUICE_KEY"], http_options={"base_url": "${origin}"})
response = client.models.generate_content(model="${model}", contents="Hello!")
print(response.text)`,
      },
      {
        what: 'TypeScript',
        code: `import { GoogleGenAI } from '@google/genai';

const client = new GoogleGenAI({ apiKey: process.env.SLUICE_KEY, httpOptions: { baseUrl: '${origin}' } });
const response = await client.models.generateContent({ model: '${model}', contents: 'Hello!' });
console.log(response.text);`,
      },
    ],
  },
];
