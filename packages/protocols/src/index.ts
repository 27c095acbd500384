export * from './audio/index.ts';
export * from './contracts/audio-protocol.ts';
export * from './batches/index.ts';
export * from './contracts/batches-protocol.ts';
export * from './text/call-id.ts';
export * from './chat-completions/index.ts';
export * from './completions/index.ts';
export * from './converse/index.ts';
export * from './media/content-link.ts';
export {
  decodeTaskOptions,
  LabelsSchema,
  optionsOf,
  PrioritySchema,
  SHOWN_OPTIONS,
  type TaskOptions,
  UserSchema,
} from './media/task-options.ts';
export { type CostEstimate, CostEstimateSchema, decodeDryRun, decodeMaxCost } from './media/cost-controls.ts';
export * from './text/data-url.ts';
export * from './contracts/direct-protocol.ts';
export * from './text/effort.ts';
export * from './contracts/encode-error.ts';
export * from './contracts/endpoint.ts';
export * from './exchange/index.ts';
export * from './contracts/files-protocol.ts';
export * from './files/index.ts';
export * from './forms/expand-brackets.ts';
export { parseJsonText } from './forms/form-fields.ts';
export type { JsonCounts } from './json/scan-json.ts';
export * from './generative-content/index.ts';
export * from './images/index.ts';
export * from './json/is-record.ts';
export * from './stream/keep-alive.ts';
export * from './contracts/media-protocol.ts';
export * from './messages/index.ts';
export * from './models/index.ts';
export * from './moderations/index.ts';
export * from './json/parse-input.ts';
export { parseBody, parseJson } from './json/parse-json.ts';
export { JSON_BOUNDS } from './json/json-bounds.ts';
export { toPlainText } from './json/plain-text.ts';
export * from './provider-a/index.ts';
export * from './provider-b/index.ts';
export * from './realtime/index.ts';
export * from './registry.ts';
export * from './responses/index.ts';
export * from './text/token-codec.ts';
export * from './stream/sse.ts';
export * from './task-event.ts';
export * from './contracts/text-protocol.ts';
export * from './text/bounds-in-body.ts';
export * from './text/other-model-error.ts';
export * from './text/other-model-fields.ts';
export * from './text/tool-arguments.ts';
export * from './text/tool-names.ts';
export * from './video-generations/index.ts';
export * from './video-groups/index.ts';
export * from './contracts/video-groups-protocol.ts';
export * from './videos/index.ts';
export * from './webhooks/index.ts';
export * from './contracts/webhooks-protocol.ts';
