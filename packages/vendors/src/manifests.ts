import { ark } from './ark/manifest.ts';
import { bedrock } from './bedrock/manifest.ts';
import { chatCompletions } from './chat-completions/manifest.ts';
import { cohere } from './cohere/manifest.ts';
import { dashscope } from './dashscope/manifest.ts';
import { fal } from './fal/manifest.ts';
import { generativeContent } from './generative-content/manifest.ts';
import { jina } from './jina/manifest.ts';
import { messages } from './messages/manifest.ts';
import { minimax } from './minimax/manifest.ts';
import { providerA } from './provider-a/manifest.ts';
import { providerB } from './provider-b/manifest.ts';
import { replicate } from './replicate/manifest.ts';
import { responses } from './responses/manifest.ts';
import { runway } from './runway/manifest.ts';
import { tei } from './tei/manifest.ts';
import { veo } from './veo/manifest.ts';
import { videos } from './videos/manifest.ts';
import { vidu } from './vidu/manifest.ts';

export * from './ark/models.ts';
export * from './bedrock/image-models.ts';
export * from './bedrock/models.ts';
export * from './chat-completions/models.ts';
export * from './dashscope/image-models.ts';
export * from './dashscope/models.ts';
export * from './fal/models.ts';
export * from './generative-content/models.ts';
export * from './minimax/models.ts';
export * from './provider-a/models.ts';
export * from './provider-b/models.ts';
export * from './replicate/image-models.ts';
export * from './replicate/inputs.ts';
export * from './replicate/models.ts';
export * from './runway/image-models.ts';
export * from './runway/models.ts';
export * from './veo/models.ts';
export * from './vidu/models.ts';

/** All upstream kinds. To add a kind, add a folder, and an import and a line here. */
export const MANIFESTS = [
  videos,
  chatCompletions,
  responses,
  messages,
  generativeContent,
  bedrock,
  providerA,
  providerB,
  dashscope,
  ark,
  minimax,
  vidu,
  veo,
  runway,
  fal,
  replicate,
  cohere,
  jina,
  tei,
] as const;

export type UpstreamKindName = (typeof MANIFESTS)[number]['kind'];
export type VendorHeader = Extract<(typeof MANIFESTS)[number], { headers: unknown }>['headers'][number];
