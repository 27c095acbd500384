import { type Fields, listOf, recordOf } from './wire-reading.ts';
import type { TextProtocol } from '../src/index.ts';

/** Creates a client's messages after a response: the prompt, the returned response, and the results of all calls. */
export function nextTurn({ name }: TextProtocol, response: Fields): Fields {
  switch (name) {
    case 'chat-completions': {
      const message = recordOf(recordOf(listOf(response['choices'])[0])['message']);
      const results = listOf(message['tool_calls']).map((call) => ({
        role: 'tool',
        tool_call_id: recordOf(call)['id'],
        content: 'ok',
      }));
      return { messages: [{ role: 'user', content: 'Go' }, message, ...results] };
    }
    case 'responses': {
      const output = listOf(response['output']).map(recordOf);
      const calls = output.filter((item) => item['type'] === 'function_call');
      const results = calls.map((call) => ({ type: 'function_call_output', call_id: call['call_id'], output: 'ok' }));
      return { input: [{ role: 'user', content: 'Go' }, ...output, ...results] };
    }
    case 'messages': {
      const content = listOf(response['content']).map(recordOf);
      const calls = content.filter((block) => block['type'] === 'tool_use');
      const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' }));
      const turns = [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content },
        { role: 'user', content: results },
      ];
      return { max_tokens: 32_000, messages: turns, thinking: { type: 'enabled', budget_tokens: 8_000 } };
    }
    case 'generative-content': {
      const content = recordOf(recordOf(listOf(response['candidates'])[0])['content']);
      const calls = listOf(content['parts'])
        .map((part) => recordOf(part)['functionCall'])
        .filter((call) => call !== undefined);
      const results = calls.map(recordOf).map((call) => ({
        functionResponse: { id: call['id'], name: call['name'], response: { output: 'ok' } },
      }));
      return { contents: [{ role: 'user', parts: [{ text: 'Go' }] }, content, { role: 'user', parts: results }] };
    }
  }
}
