export * from './endpoint.ts';
export * from './expand-brackets.ts';
export * from './parse-input.ts';
export * from './registry.ts';
export * from './video-protocol.ts';
export * from './videos/index.ts';
