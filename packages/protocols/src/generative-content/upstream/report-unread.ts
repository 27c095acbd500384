import type { LossReport } from '@sluice/canonical';
import { type JsonObject, objectOrEmpty } from '../../json/values.ts';
import { reportUnread } from '../../text/response-losses.ts';
import { records } from '../wire/proto-json.ts';

/** Fields that this folder reads, and ids and times, which are not content. */
const RESPONSE = new Set(['candidates', 'promptFeedback', 'usageMetadata', 'modelVersion', 'responseId', 'createTime']);
const FEEDBACK = new Set(['blockReason']);
const CANDIDATE = new Set([
  'index',
  'content',
  'finishReason',
  'finishMessage',
  'groundingMetadata',
  'citationMetadata',
]);
const CONTENT = new Set(['role', 'parts']);
const TEXT = new Set(['text', 'thought', 'thoughtSignature']);
const CALL = new Set(['functionCall', 'thought', 'thoughtSignature']);
const FUNCTION = new Set(['id', 'name', 'args']);
const MEDIA = new Set(['inlineData', 'fileData', 'thought', 'thoughtSignature']);
const DATA = new Set(['mimeType', 'data', 'fileUri']);
const GROUNDING = new Set(['groundingChunks', 'groundingSupports']);
const CHUNK = new Set(['web', 'retrievedContext', 'maps']);
const SOURCE = new Set(['uri', 'title', 'text']);
const SUPPORT = new Set(['segment', 'groundingChunkIndices']);
const SEGMENT = new Set(['startIndex', 'endIndex', 'partIndex', 'text']);
const CITATIONS = new Set(['citations', 'citationSources']);
const CITATION = new Set(['startIndex', 'endIndex', 'uri', 'title']);
const USAGE = new Set([
  'promptTokenCount',
  'cachedContentTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
  'totalTokenCount',
  'promptTokensDetails',
  'candidatesTokensDetails',
  'cacheTokensDetails',
  'toolUsePromptTokensDetails',
  'serviceTier',
]);
const MODALITY = new Set(['modality', 'tokenCount']);
/** The modalities whose counts are read. The count of text is the rest of the total. */
const MODALITIES: Readonly<Record<string, readonly unknown[]>> = {
  promptTokensDetails: ['TEXT', 'AUDIO', 'IMAGE'],
  candidatesTokensDetails: ['TEXT', 'AUDIO'],
  cacheTokensDetails: ['TEXT'],
  toolUsePromptTokensDetails: ['TEXT'],
};

/** @param response a response or a chunk */
export function reportResponse(response: JsonObject, report: LossReport | undefined): void {
  if (!report) return;
  reportUnread(response, RESPONSE, '', report);
  reportUnread(objectOrEmpty(response['promptFeedback']), FEEDBACK, 'promptFeedback.', report);
  const usage = objectOrEmpty(response['usageMetadata']);
  reportUnread(usage, USAGE, 'usageMetadata.', report);
  for (const [field, read] of Object.entries(MODALITIES)) {
    for (const count of records(usage[field])) reportUnread(count, MODALITY, `usageMetadata.${field}[].`, report);
    const isRead = records(usage[field]).every((count) => read.includes(count['modality']));
    if (!isRead) report({ field: `response.usageMetadata.${field}`, how: 'dropped' });
  }
  for (const candidate of records(response['candidates'])) reportCandidate(candidate, report);
}

function reportCandidate(candidate: JsonObject, report: LossReport): void {
  reportUnread(candidate, CANDIDATE, 'candidates[].', report);
  const content = objectOrEmpty(candidate['content']);
  reportUnread(content, CONTENT, 'candidates[].content.', report);
  for (const part of records(content['parts'])) reportPart(part, report);
  const path = 'candidates[].groundingMetadata.';
  const grounding = objectOrEmpty(candidate['groundingMetadata']);
  reportUnread(grounding, GROUNDING, path, report);
  for (const chunk of records(grounding['groundingChunks'])) {
    reportUnread(chunk, CHUNK, `${path}groundingChunks[].`, report);
    for (const kind of CHUNK) {
      reportUnread(objectOrEmpty(chunk[kind]), SOURCE, `${path}groundingChunks[].${kind}.`, report);
    }
  }
  for (const support of records(grounding['groundingSupports'])) {
    reportUnread(support, SUPPORT, `${path}groundingSupports[].`, report);
    reportUnread(objectOrEmpty(support['segment']), SEGMENT, `${path}groundingSupports[].segment.`, report);
  }
  const cited = objectOrEmpty(candidate['citationMetadata']);
  reportUnread(cited, CITATIONS, 'candidates[].citationMetadata.', report);
  for (const citation of records(cited['citations'] ?? cited['citationSources'])) {
    reportUnread(citation, CITATION, 'candidates[].citationMetadata.citations[].', report);
  }
}

/** Parts of unknown kinds become foreign blocks, which encoders report. */
function reportPart(part: JsonObject, report: LossReport): void {
  const path = 'candidates[].content.parts[].';
  if (typeof part['text'] === 'string') return reportUnread(part, TEXT, path, report);
  if (part['thought'] === true)
    return report({ field: 'response.candidates[].content.parts[thought]', how: 'dropped' });
  if (part['functionCall']) {
    reportUnread(part, CALL, path, report);
    reportUnread(objectOrEmpty(part['functionCall']), FUNCTION, `${path}functionCall.`, report);
  } else if (part['inlineData'] || part['fileData']) {
    reportUnread(part, MEDIA, path, report);
    for (const kind of ['inlineData', 'fileData']) {
      reportUnread(objectOrEmpty(part[kind]), DATA, `${path}${kind}.`, report);
    }
  }
}
