export * from './decode-completion.ts';
export * from './encode-completion.ts';
export * from './encode-completion-stream.ts';
export * from './endpoints.ts';
export { CompletionsTopLevel } from './schema.ts';
