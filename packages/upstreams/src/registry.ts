import { ark } from './ark/index.ts';
import { bedrock } from './bedrock/index.ts';
import { chatCompletions } from './chat-completions/index.ts';
import { cohere } from './cohere/index.ts';
import { dashscope } from './dashscope/index.ts';
import { fal } from './fal/index.ts';
import { generativeContent } from './generative-content/index.ts';
import { jina } from './jina/index.ts';
import { messages } from './messages/index.ts';
import { minimax } from './minimax/index.ts';
import { providerA } from './provider-a/index.ts';
import { providerB } from './provider-b/index.ts';
import { replicate } from './replicate/index.ts';
import { responses } from './responses/index.ts';
import { runway } from './runway/index.ts';
import { tei } from './tei/index.ts';
import type { UpstreamKind } from './contract/upstream.ts';
import { veo } from './veo/index.ts';
import { videos } from './videos/index.ts';
import { vidu } from './vidu/index.ts';

/** All upstream kinds. To add a kind, add a folder and a line here. */
export const UPSTREAM_REGISTRY: readonly UpstreamKind[] = [
  ark,
  bedrock,
  chatCompletions,
  cohere,
  dashscope,
  fal,
  generativeContent,
  jina,
  messages,
  minimax,
  providerA,
  providerB,
  replicate,
  responses,
  runway,
  tei,
  veo,
  videos,
  vidu,
];
