import { defineVendor, KEY, keyed, modelOf } from '../manifest.ts';

const URL = 'https://dashscope.aliyuncs.com';
const VARIABLE = 'DASHSCOPE_API_KEY';

export const dashscope = defineVendor({
  kind: 'dashscope',
  capabilities: ['video', 'image'],
  credentials: [KEY],
  headers: ['x-dashscope-async'],
  sandboxPath: '/dashscope',
  vendors: [
    {
      upstreams: {
        dashscope: keyed('dashscope', URL, VARIABLE),
        qwen: keyed('chat-completions', `${URL}/compatible-mode/v1`, VARIABLE),
      },
      models: [
        modelOf('wan*', 'dashscope'),
        modelOf('qwen-image*', 'dashscope'), // `qwen*` would match it, too
        modelOf('qwen*', 'qwen'),
        modelOf('qwq-*', 'qwen'),
      ],
    },
  ],
  sources: ['Alibaba docs, the API references of wan and Qwen-Image', '@ai-sdk/alibaba 2.0.58'],
});
