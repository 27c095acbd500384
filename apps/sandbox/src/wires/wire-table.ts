import type { FastifyInstance } from 'fastify';
import type { TextVendor } from '../text/text-vendor.ts';
import { registerArk } from './ark/register-ark.ts';
import { registerAudio } from './audio/register-audio.ts';
import { registerChatCompletions } from './chat-completions/register-chat-completions.ts';
import { registerCohere } from './cohere/register-cohere.ts';
import { registerDashscope } from './dashscope/register-dashscope.ts';
import { registerEmbeddings } from './embeddings/register-embeddings.ts';
import { registerFal } from './fal/register-fal.ts';
import { registerFalRun } from './fal/register-fal-run.ts';
import { registerGenerativeContent } from './generative-content/register-generative-content.ts';
import { registerImages } from './images/register-images.ts';
import { registerJina } from './jina/register-jina.ts';
import type { MediaVendor } from './media/media-vendor.ts';
import { registerMessages } from './messages/register-messages.ts';
import { registerMinimaxV1 } from './minimax/register-v1.ts';
import { registerMinimaxV2 } from './minimax/register-v2.ts';
import { registerModerations } from './moderations/register-moderations.ts';
import { registerProviderA } from './provider-a/register-provider-a.ts';
import { registerProviderB } from './provider-b/register-provider-b.ts';
import { registerRealtime } from './realtime/register-realtime.ts';
import { registerReplicate } from './replicate/register-replicate.ts';
import { registerResponses } from './responses/register-responses.ts';
import { registerRunway } from './runway/register-runway.ts';
import { registerTei } from './tei/register-tei.ts';
import { registerVeo } from './veo/register-veo.ts';
import { registerVideos } from './videos/register-videos.ts';
import { registerVidu } from './vidu/register-vidu.ts';

interface WireEntry {
  prefix: string;
  jobs?: string;
  register: (scope: FastifyInstance, text: TextVendor, media: MediaVendor) => void | Promise<void>;
}

type Register<Vendor> = (scope: FastifyInstance, vendor: Vendor) => void | Promise<void>;

function text(prefix: string, register: Register<TextVendor>): WireEntry {
  return { prefix, register };
}

function media(jobs: string, prefix: string, register: Register<MediaVendor>): WireEntry {
  return { prefix, jobs, register: (scope, _text, vendor) => register(scope, vendor) };
}

/** All simulated vendor APIs, with one entry per path prefix. */
export const WIRES: readonly WireEntry[] = [
  text('/v1', registerChatCompletions),
  text('/v1', registerResponses),
  text('/v1', registerMessages),
  text('/v1', registerEmbeddings),
  text('/v1', registerModerations),
  text('/cohere', registerCohere),
  text('/jina', registerJina),
  text('/tei', registerTei),
  { jobs: 'generative-images', prefix: '/v1beta', register: registerGenerativeContent },
  { jobs: 'generative-images', prefix: '/v1', register: registerGenerativeContent },
  text('/v1/audio', registerAudio),
  text('/v1', registerRealtime),
  media('videos', '/v1', registerVideos),
  media('images', '/v1/images', registerImages),
  media('veo', '/v1beta', registerVeo),
  media('runway', '/runway', registerRunway),
  media('provider-a', '/kling', registerProviderA),
  media('provider-b', '', registerProviderB),
  media('dashscope', '/dashscope', registerDashscope),
  media('ark', '/ark/api/v3', registerArk),
  media('minimax', '/minimax/v1', registerMinimaxV1),
  media('minimax', '/minimax/v2', registerMinimaxV2),
  media('vidu', '/vidu/ent/v2', registerVidu),
  media('fal', '/fal', registerFal),
  media('fal', '/fal-run', registerFalRun),
  media('replicate', '/replicate', registerReplicate),
];

export function isMediaWire(name: unknown): name is string {
  return WIRES.some(({ jobs }) => jobs !== undefined && jobs === name);
}
