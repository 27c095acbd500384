import type { FastifyInstance } from 'fastify';
import type { BatchVendor } from '../batches/batch-vendor.ts';
import type { TextVendor } from '../text/text-vendor.ts';
import { registerArk } from './ark/register-ark.ts';
import { registerAudio } from './audio/register-audio.ts';
import { registerMetadata } from './aws/register-metadata.ts';
import { registerS3 } from './aws/register-s3.ts';
import { registerSts } from './aws/register-sts.ts';
import { withSignatures } from './aws/with-signatures.ts';
import { registerInvocationJobs } from './bedrock/batches/register-invocation-jobs.ts';
import { registerBedrock } from './bedrock/register-bedrock.ts';
import { registerChatCompletions } from './chat-completions/register-chat-completions.ts';
import { registerCohere } from './cohere/register-cohere.ts';
import { registerDashscope } from './dashscope/register-dashscope.ts';
import { registerEmbeddings } from './embeddings/register-embeddings.ts';
import { registerFal } from './fal/register-fal.ts';
import { registerFalRun } from './fal/register-fal-run.ts';
import { registerGenerativeBatches } from './generative-batches/register-generative-batches.ts';
import { registerGenerativeContent } from './generative-content/register-generative-content.ts';
import { registerImages } from './images/register-images.ts';
import { registerJina } from './jina/register-jina.ts';
import type { MediaVendor } from './media/media-vendor.ts';
import { registerMessageBatches } from './message-batches/register-message-batches.ts';
import { registerMessages } from './messages/register-messages.ts';
import { registerMinimaxV1 } from './minimax/register-v1.ts';
import { registerMinimaxV2 } from './minimax/register-v2.ts';
import { registerModerations } from './moderations/register-moderations.ts';
import { registerOpenAiBatches } from './openai-batches/register-openai-batches.ts';
import { registerProviderA } from './provider-a/register-provider-a.ts';
import { registerProviderB } from './provider-b/register-provider-b.ts';
import { registerRealtime } from './realtime/register-realtime.ts';
import { registerReplicate } from './replicate/register-replicate.ts';
import { registerResponses } from './responses/register-responses.ts';
import { registerRunway } from './runway/register-runway.ts';
import { registerTei } from './tei/register-tei.ts';
import { registerVeo } from './veo/register-veo.ts';
import { registerVertexVeo } from './veo/register-vertex-veo.ts';
import { registerVideos } from './videos/register-videos.ts';
import { registerCloudStorage } from './vertex/register-cloud-storage.ts';
import { registerGoogleMetadata, registerGoogleTokens } from './vertex/register-google-tokens.ts';
import { registerVertex } from './vertex/register-vertex.ts';
import { registerVidu } from './vidu/register-vidu.ts';

interface WireEntry {
  prefix: string;
  jobs?: string;
  register: (
    scope: FastifyInstance,
    text: TextVendor,
    media: MediaVendor,
    batches: BatchVendor,
  ) => void | Promise<void>;
}

type Register<Vendor> = (scope: FastifyInstance, vendor: Vendor) => void | Promise<void>;

function text(prefix: string, register: Register<TextVendor>): WireEntry {
  return { prefix, register };
}

function media(jobs: string, prefix: string, register: Register<MediaVendor>): WireEntry {
  return { prefix, jobs, register: (scope, _text, vendor) => register(scope, vendor) };
}

function batches(prefix: string, register: Register<BatchVendor>): WireEntry {
  return { prefix, register: (scope, _text, _media, vendor) => register(scope, vendor) };
}

/** All simulated vendor APIs, with one entry per path prefix. */
export const WIRES: readonly WireEntry[] = [
  text('/v1', registerChatCompletions),
  text('/v1', registerResponses),
  text('/v1', registerMessages),
  text('/v1', registerEmbeddings),
  text('/v1', registerModerations),
  batches('/v1', registerOpenAiBatches),
  batches('/v1', registerMessageBatches),
  batches('', registerGenerativeBatches),
  { jobs: 'bedrock', prefix: '/bedrock', register: registerBedrock },
  {
    prefix: '/bedrock',
    register: (scope, vendor, _media, batchVendor) => registerInvocationJobs(scope, vendor, batchVendor),
  },
  text('/bedrock/openai/v1', withSignatures(registerChatCompletions)),
  text('/bedrock/openai/v1', withSignatures(registerResponses)),
  text('/bedrock/anthropic/v1', withSignatures(registerMessages)),
  text('/aws/sts', registerSts),
  { prefix: '/s3', register: registerS3 },
  text('', registerMetadata),
  text('/cohere', registerCohere),
  text('/jina', registerJina),
  text('/tei', registerTei),
  { jobs: 'generative-images', prefix: '/v1beta', register: registerGenerativeContent },
  { jobs: 'generative-images', prefix: '/v1', register: registerGenerativeContent },
  { prefix: '/vertex/v1', register: registerVertex },
  { prefix: '/vertex/v1beta1', register: registerVertex },
  { jobs: 'vertex-veo', prefix: '/vertex/v1', register: registerVertexVeo },
  { jobs: 'vertex-veo', prefix: '/vertex/v1beta1', register: registerVertexVeo },
  { prefix: '/storage/v1', register: registerCloudStorage },
  text('/vertex/tokens', registerGoogleTokens),
  text('/computeMetadata/v1', registerGoogleMetadata),
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
