/** Values of one request that succeeds with the sandbox's models. Ids in paths are placeholders. */
export interface RequestExample {
  path?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
}

const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const video = { path: { task_id: 'video_019ab2c3d4e5' } };
const image = { task_id: 'image_019ab2c3d4e5' };
const response = { path: { response_id: 'resp_019ab2c3d4e5' } };
const webhook = { webhook_id: 'whe_019ab2c3d4e5' };
const delivery = { path: { delivery_id: 'whd_019ab2c3d4e5' } };
const file = { path: { file_id: 'file-019ab2c3d4e5' } };
const upload = { upload_id: 'upload_019ab2c3d4e5' };
const batch = { path: { batch_id: 'batch_019ab2c3d4e5' } };
const group = { path: { group_id: 'group_019ab2c3d4e5' } };
const adminBatch = { path: { id: batch.path.batch_id } };
const adminGroup = { path: { id: group.path.group_id } };
const generativeBatch = { path: { batch_id: '019ab2c3d4e5' } };
const key = { id: 'key_019ab2c3d4e5' };
const task = { id: 'video_019ab2c3d4e5' };
const operator = { operator: 'maria', note: 'Checked with the vendor.' };

const generative = { model: 'sandbox-generative' };
const embedding = { model: 'sandbox-embedding' };
const contents = [{ role: 'user', parts: [{ text: 'Say hello.' }] }];
const content = { parts: [{ text: 'A red kite over a lake' }] };
const messages = [{ role: 'user', content: 'Say hello.' }];
const audio = { model: 'sandbox-transcription', file: 'meeting.wav' };
const clip = { model: 'sandbox-video', prompt: 'A red kite over a lake', seconds: '4' };
const picture = { model: 'sandbox-image', prompt: 'A poster that says OPEN', size: '1024x1024' };
const rerank = {
  model: 'sandbox-rerank',
  query: 'What flies?',
  documents: ['A kite flies in the wind.', 'A stone lies on the ground.'],
  top_n: 1,
};
const kling = { model_name: 'sandbox-video', prompt: 'A red kite over a lake', duration: '5' };

/** Examples by operation id, without the suffixes and infixes of operations under further paths. */
const EXAMPLES: Readonly<Record<string, RequestExample>> = {
  retrieveModel: { path: { model: 'sandbox-chat' } },
  retrieveGenerativeModel: { path: generative },
  createChatCompletion: { body: { model: 'sandbox-chat', messages } },
  createCompletion: { body: { model: 'sandbox-chat', prompt: 'Once upon a time', max_tokens: 64 } },
  createResponse: { body: { model: 'sandbox-responses', input: 'Say hello.' } },
  compactResponse: { body: { model: 'sandbox-responses', input: 'Say hello.' } },
  countResponseInputTokens: { body: { model: 'sandbox-responses', input: 'Say hello.' } },
  retrieveResponse: response,
  deleteResponse: response,
  cancelResponse: response,
  listResponseInputItems: response,
  createMessage: { body: { model: 'sandbox-messages', max_tokens: 256, messages } },
  countMessageTokens: { body: { model: 'sandbox-messages', messages } },
  generateContent: { path: generative, body: { contents } },
  streamGenerateContent: { path: generative, body: { contents } },
  countTokens: { path: generative, body: { contents } },
  embedContent: { path: embedding, body: { content } },
  batchEmbedContents: { path: embedding, body: { requests: [{ model: 'models/sandbox-embedding', content }] } },
  createVideo: { body: clip },
  createVideoGeneration: { body: clip },
  createVideoGroup: {
    body: { model: 'sandbox-video', prompts: ['A red kite over a lake', 'A red kite over a town'], seconds: '4' },
  },
  retrieveVideoGroup: group,
  cancelVideoGroup: group,
  retryVideoGroup: { ...group, body: { retry_unknown: true } },
  deleteVideoGroup: group,
  remixVideo: { ...video, body: { prompt: 'The same kite at night' } },
  retrieveVideo: video,
  deleteVideo: video,
  cancelVideo: video,
  followVideo: video,
  downloadVideo: video,
  retrieveVideoGeneration: video,
  createText2Video: { body: kling },
  createImage2Video: { body: { ...kling, image: IMAGE.slice(IMAGE.indexOf(',') + 1) } },
  retrieveText2Video: video,
  retrieveImage2Video: video,
  submitVideoTask: { body: { req_key: 'sandbox-video', prompt: 'A red kite over a lake', frames: 121 } },
  getVideoResult: { body: { req_key: 'sandbox-video', ...video.path } },
  createImages: { body: picture },
  editImages: { body: { ...picture, prompt: 'The same poster in blue', image: IMAGE } },
  retrieveTask: video,
  cancelTask: video,
  changeTask: { ...video, body: { priority: 10 } },
  changeTaskQueue: { body: { paused: false } },
  downloadTaskFile: { path: { ...video.path, index: '0' } },
  retrieveImages: { path: image },
  downloadImage: { path: { ...image, index: '0' } },
  createModeration: { body: { model: 'sandbox-moderation', input: 'A red kite over a lake' } },
  createEmbeddings: { body: { model: 'sandbox-embedding', input: 'A red kite over a lake' } },
  createEngineEmbeddings: { path: embedding, body: { input: 'A red kite over a lake' } },
  createRerank: { body: rerank },
  createSpeech: { body: { model: 'sandbox-speech', input: 'Hello!', voice: 'alloy' } },
  createTranscription: { body: { ...audio, response_format: 'json' } },
  createTranslation: { body: audio },
  createWebhook: { body: { url: 'https://hooks.example/sluice', events: ['video.completed', 'video.failed'] } },
  retrieveWebhook: { path: webhook },
  deleteWebhook: { path: webhook },
  testWebhook: { path: webhook, body: { event_type: 'video.completed' } },
  updateWebhook: { path: webhook, body: { enabled: false } },
  rotateWebhookSecret: { path: webhook, body: { keep_previous: true } },
  listWebhookDeliveries: { path: webhook },
  retrieveDelivery: delivery,
  redeliver: delivery,
  rotateKeySecret: { body: { keep_previous: true } },
  createFile: { body: { file: 'batch.jsonl', purpose: 'batch' } },
  retrieveFile: file,
  downloadFile: file,
  deleteFile: file,
  retrieveGenerativeFile: { path: { file_id: '019ab2c3d4e5' } },
  deleteGenerativeFile: { path: { file_id: '019ab2c3d4e5' } },
  uploadGenerativeFile: { body: { file: { displayName: 'report.pdf', mimeType: 'application/pdf' } } },
  createUpload: { body: { bytes: 12, filename: 'batch.jsonl', mime_type: 'text/jsonl', purpose: 'batch' } },
  addUploadPart: { path: upload, body: { data: 'part-1' } },
  completeUpload: { path: upload, body: { part_ids: ['part_019ab2c3d4e5'] } },
  cancelUpload: { path: upload },
  createBatch: {
    body: { input_file_id: 'file-019ab2c3d4e5', endpoint: '/v1/chat/completions', completion_window: '24h' },
  },
  retrieveBatch: batch,
  changeBatch: { ...batch, body: { paused: true } },
  cancelBatch: batch,
  deleteBatch: batch,
  createMessageBatch: {
    body: { requests: [{ custom_id: 'first', params: { model: 'sandbox-messages', max_tokens: 256, messages } }] },
  },
  retrieveMessageBatch: batch,
  retrieveMessageBatchResults: batch,
  cancelMessageBatch: batch,
  deleteMessageBatch: batch,
  batchGenerateContent: {
    path: generative,
    body: { batch: { displayName: 'nightly', inputConfig: { requests: { requests: [{ request: { contents } }] } } } },
  },
  retrieveGenerativeBatch: generativeBatch,
  cancelGenerativeBatch: { path: { batch_id: '019ab2c3d4e5:cancel' } },
  deleteGenerativeBatch: generativeBatch,
  downloadGenerativeBatchResults: { path: { batch_id: '019ab2c3d4e5:download' } },
  adminCreateKey: { body: { name: 'team-search', models: ['sandbox-chat'] } },
  adminRetrieveKey: { path: key },
  adminChangeKey: { path: key, body: { models: ['sandbox-chat', 'sandbox-embedding'] } },
  adminRevokeKey: { path: key },
  adminRotateKey: { path: key, body: { grace_seconds: 3_600 } },
  adminTestUpstream: { path: { name: 'sandbox-chat' }, body: { model: 'sandbox-chat' } },
  adminReplaceConfig: { body: { text: 'keys: [{ name: local, key: sk-test-local }]\n', dry_run: true } },
  adminRetrieveBatch: adminBatch,
  adminChangeBatch: { ...adminBatch, body: { paused: true } },
  adminCancelBatch: adminBatch,
  adminRetrieveVideoGroup: adminGroup,
  adminCancelVideoGroup: adminGroup,
  adminRetryVideoGroup: { ...adminGroup, body: { retry_unknown: false } },
  adminRetrieveTask: { path: task },
  retrieveRequest: { path: { id: 'req_019ab2c3d4e5' } },
  adminRetrieveRequest: { path: { id: 'req_019ab2c3d4e5' } },
  adminListVendorModels: { path: { name: 'sandbox-chat' }, body: { api_key: 'sk-sandbox' } },
  adminAdoptTask: { path: task, body: { upstream_job_id: 'job_019ab2c3d4e5', ...operator } },
  adminFailTask: { path: task, body: { reason: 'The vendor lost the job.', ...operator } },
  adminResubmitTask: { path: task, body: { confirm: true, attempt: 1, ...operator } },
  adminCancelTask: { path: task, body: operator },
  adminRetrieveWebhook: { path: { id: webhook.webhook_id } },
  adminDeleteWebhook: { path: { id: webhook.webhook_id } },
  adminRotateWebhookSecret: { path: { id: webhook.webhook_id }, body: { keep_previous: true } },
  adminRetrieveWebhookDelivery: { path: { id: delivery.path.delivery_id } },
  adminRedeliverWebhook: { path: { id: delivery.path.delivery_id } },
};

/** Marks of operations that exist under several paths. */
const VARIANT = /(?:V1|V2|Endpoint)$|Kling|Jimeng|Unslashed/g;

export function exampleOf(operationId: string): RequestExample | undefined {
  return EXAMPLES[operationId] ?? EXAMPLES[operationId.replaceAll(VARIANT, '')];
}
