import { z } from 'zod';
import { audioEndpoints } from './audio/index.ts';
import { batchesEndpoints } from './batches/index.ts';
import { chatCompletionsEndpoints, chatCompletionsProtocol } from './chat-completions/index.ts';
import { completionsEndpoints } from './completions/index.ts';
import { embedContentEndpoints } from './embed-content/index.ts';
import { embeddingsEndpoints } from './embeddings/index.ts';
import type { Endpoint } from './contracts/endpoint.ts';
import { enginesEndpoints } from './engines/index.ts';
import { filesEndpoints } from './files/index.ts';
import { generativeContentEndpoints, generativeContentProtocol } from './generative-content/index.ts';
import { imagesEndpoints } from './images/index.ts';
import { messagesEndpoints, messagesProtocol } from './messages/index.ts';
import { modelsEndpoints } from './models/index.ts';
import { moderationsEndpoints } from './moderations/index.ts';
import { providerAEndpoints } from './provider-a/index.ts';
import { providerBEndpoints } from './provider-b/index.ts';
import { rerankEndpoints } from './rerank/index.ts';
import { realtimeEndpoints } from './realtime/index.ts';
import { responsesEndpoints, responsesProtocol } from './responses/index.ts';
import { videoGenerationsEndpoints } from './video-generations/index.ts';
import { videoGroupsEndpoints } from './video-groups/index.ts';
import { videosEndpoints } from './videos/index.ts';
import { webhooksEndpoints } from './webhooks/index.ts';

/** All routes of all client protocols. Each protocol has one folder and one line here. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...modelsEndpoints({
    chatCompletions: chatCompletionsProtocol,
    generativeContent: generativeContentProtocol,
    errorSchema: z.union(
      [chatCompletionsProtocol, messagesProtocol, generativeContentProtocol].map((protocol) => protocol.errorSchema),
    ),
  }),
  ...chatCompletionsEndpoints,
  ...completionsEndpoints,
  ...responsesEndpoints,
  ...messagesEndpoints,
  ...generativeContentEndpoints,
  ...videosEndpoints,
  ...videoGroupsEndpoints,
  ...videoGenerationsEndpoints,
  ...providerAEndpoints,
  ...providerBEndpoints,
  ...imagesEndpoints,
  ...moderationsEndpoints,
  ...realtimeEndpoints,
  ...embeddingsEndpoints,
  ...enginesEndpoints,
  ...embedContentEndpoints,
  ...rerankEndpoints,
  ...audioEndpoints,
  ...webhooksEndpoints,
  ...filesEndpoints({ messages: messagesProtocol, generativeContent: generativeContentProtocol }),
  ...batchesEndpoints({
    chatCompletions: chatCompletionsProtocol,
    responses: responsesProtocol,
    messages: messagesProtocol,
    generativeContent: generativeContentProtocol,
  }),
];
