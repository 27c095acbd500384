export { hashOf } from './hash-of.ts';
export { redisJson } from './redis-json.ts';
export { scriptLoader, type LoadScript } from './script-loader.ts';
