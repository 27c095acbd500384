import type { TextProtocolName } from '@sluice/canonical';
import {
  chatCompletionsProtocol,
  generativeContentProtocol,
  messagesProtocol,
  responsesProtocol,
  type TextProtocol,
} from '@sluice/protocols';

export const TEXT_PROTOCOLS: Readonly<Record<TextProtocolName, TextProtocol>> = {
  'chat-completions': chatCompletionsProtocol,
  responses: responsesProtocol,
  messages: messagesProtocol,
  'generative-content': generativeContentProtocol,
};
