import { bearer } from '../text/bearer.ts';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { defineUpstream } from '../upstream.ts';

/** The kind `chat-completions`: OpenAI's chat protocol, which most vendors and local servers speak. */
export const chatCompletions = defineUpstream({
  kind: 'chat-completions',
  build: (account, context) => {
    const completions = account.completions === true ? '/completions' : undefined;
    return {
      text: createTextUpstream(
        {
          protocol: 'chat-completions',
          credential: bearer,
          path: ({ operation }) => {
            if (operation === 'complete') return completions;
            return operation === 'generate' ? '/chat/completions' : undefined;
          },
        },
        account,
        context,
      ),
    };
  },
});
