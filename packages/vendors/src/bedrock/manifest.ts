import { allModelsOf, defineVendor, KEY, KEY_PAIR, keyed } from '../schema/manifest.ts';
import { BEDROCK_IMAGES } from './image-models.ts';
import { BEDROCK_VIDEOS } from './models.ts';
import { BEDROCK_PRICES } from './prices.ts';

export const bedrock = defineVendor({
  kind: 'bedrock',
  capabilities: ['text', 'video', 'image'],
  credentials: [KEY, KEY_PAIR],
  identities: ['aws'],
  fields: ['vendor_batches', 'output_uri', 'batch_role_arn', 's3_endpoint'],
  output: { scheme: 's3', isRequired: true },
  sandboxPath: '/bedrock',
  sandboxFields: { output_uri: 's3://sandbox/videos', s3_endpoint: '/s3' },
  examples: { text: 'amazon.nova-lite-v1:0', video: 'amazon.nova-reel-v1:1', image: 'amazon.nova-canvas-v1:0' },
  findsSubmissions: 'video',
  manyImages: true,
  vendors: [
    {
      upstreams: {
        bedrock: keyed('bedrock', 'https://bedrock-runtime.us-east-1.amazonaws.com', 'AWS_BEARER_TOKEN_BEDROCK'),
      },
      models: [allModelsOf('bedrock')],
    },
  ],
  sources: [
    'Amazon Bedrock and Amazon Nova user guides and API references, read in 2026',
    '@aws-sdk/client-bedrock-runtime 3.1164.0',
  ],
  catalogs: [
    { title: 'videos', models: BEDROCK_VIDEOS },
    { title: 'images', models: BEDROCK_IMAGES },
  ],
  listsMediaModels: true,
  prices: BEDROCK_PRICES,
});
