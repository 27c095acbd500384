import { defineVendor, KEY, keyed, modelOf } from '../schema/manifest.ts';
import { DASHSCOPE_IMAGE_MODELS } from './image-models.ts';
import { DASHSCOPE_VIDEOS } from './models.ts';
import { DASHSCOPE_PRICES } from './prices.ts';

const URL = 'https://dashscope.aliyuncs.com';
const VARIABLE = 'DASHSCOPE_API_KEY';

export const dashscope = defineVendor({
  kind: 'dashscope',
  capabilities: ['video', 'image'],
  credentials: [KEY],
  headers: ['x-dashscope-async'],
  sandboxPath: '/dashscope',
  examples: { video: 'wan2.6-t2v', image: 'wan2.2-t2i-flash' },
  manyImages: true,
  vendors: [
    {
      upstreams: {
        dashscope: keyed('dashscope', URL, VARIABLE),
        qwen: keyed('chat-completions', `${URL}/compatible-mode/v1`, VARIABLE),
      },
      models: [
        modelOf('wan*', 'dashscope'),
        modelOf('qwen-image*', 'dashscope'), // Listed separately, because `qwen*` also matches these models.
        modelOf('qwen*', 'qwen'),
        modelOf('qwq-*', 'qwen'),
      ],
    },
  ],
  sources: ['Alibaba docs, the API references of wan and Qwen-Image', '@ai-sdk/alibaba 2.0.58'],
  catalogs: [
    { title: 'videos', models: DASHSCOPE_VIDEOS },
    { title: 'images', models: DASHSCOPE_IMAGE_MODELS },
  ],
  prices: DASHSCOPE_PRICES,
});
