import type { TextProtocolName, UpstreamProtocolName } from '@sluice/canonical';
import type { TargetOptions } from '../text-exchange.ts';
import type { Template } from './body-template.ts';
import { CHAT_TEMPLATE } from './chat-template.ts';
import { GENERATIVE_TEMPLATE } from './generative-template.ts';
import { MESSAGES_TEMPLATE } from './messages-template.ts';
import { RESPONSES_TEMPLATE } from './responses-template.ts';

/** Valid requests of each protocol, including vendors' extensions. */
export const REQUEST_TEMPLATES: Readonly<Record<TextProtocolName, Template>> = {
  'chat-completions': CHAT_TEMPLATE,
  responses: RESPONSES_TEMPLATE,
  messages: MESSAGES_TEMPLATE,
  'generative-content': GENERATIVE_TEMPLATE,
};

/** Models that differ in what they accept. */
export const TARGETS: Readonly<Record<UpstreamProtocolName, readonly TargetOptions[]>> = {
  'chat-completions': [
    { model: 'gpt-4.1' },
    { model: 'gpt-5' },
    { model: 'qwen3' },
    { model: 'x', quirks: { json_schema: false } },
  ],
  responses: [{ model: 'gpt-4.1' }, { model: 'gpt-5' }, { model: 'gpt-5.6' }, { model: 'vendor-model' }],
  messages: [
    { model: 'claude-sonnet-4-5' },
    { model: 'claude-opus-5-5' },
    { model: 'claude-sonnet-4-6' },
    { model: 'claude-3-5-haiku' },
  ],
  'generative-content': [
    { model: 'gemini-3-flash' },
    { model: 'gemini-2.5-pro' },
    { model: 'gemini-2.0-flash' },
    { model: 'gemini-3-pro', quirks: { full_schema: false } },
  ],
  converse: [
    { model: 'anthropic.claude-sonnet-4-5-20250929-v1:0' },
    { model: 'us.anthropic.claude-opus-5-5-v1:0' },
    { model: 'amazon.nova-pro-v1:0' },
    { model: 'amazon.nova-2-lite-v1:0' },
    { model: 'openai.gpt-oss-120b-1:0' },
    { model: 'mistral.mistral-large-2407-v1:0' },
    { model: 'meta.llama3-3-70b-instruct-v1:0' },
  ],
};
