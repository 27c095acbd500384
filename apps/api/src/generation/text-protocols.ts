import type { TextProtocolName, UpstreamProtocolName } from '@sluice/canonical';
import {
  chatCompletionsProtocol,
  converseProtocol,
  generativeContentProtocol,
  messagesProtocol,
  responsesProtocol,
  type TextProtocol,
  type UpstreamProtocol,
} from '@sluice/protocols';

type UpstreamProtocols = Readonly<Record<UpstreamProtocolName, UpstreamProtocol>> &
  Readonly<Record<TextProtocolName, TextProtocol>>;

export const UPSTREAM_PROTOCOLS: UpstreamProtocols = {
  'chat-completions': chatCompletionsProtocol,
  responses: responsesProtocol,
  messages: messagesProtocol,
  'generative-content': generativeContentProtocol,
  converse: converseProtocol,
};
