export { defineScripts } from './define-scripts.ts';
export { hashOf } from './hash-of.ts';
export { parseFlatHash } from './parse-flat-hash.ts';
export { redisJson } from './redis-json.ts';
export { scriptLoader, type LoadScript } from './script-loader.ts';
