import { ALL_DIRECTIVES } from '../src/directives/all-directives.ts';
import { MODERATION_KEYWORDS } from '../src/wires/moderations/moderation-keywords.ts';

const GROUPS = [
  { title: 'Videos and images', capabilities: ['video, image', 'image'] },
  { title: 'Text', capabilities: ['text'] },
  { title: 'Speech and realtime', capabilities: ['speech', 'realtime'] },
];

const HEAD = `# Sandbox directives

<!-- Generated: \`SLUICE_GOLDEN=write npm test -- directives-docs\`. -->

A directive is a word in a prompt that changes how the [sandbox](sandbox.md) behaves. It works anywhere in the prompt, in upper and lower case, and
together with others. In text requests, the sandbox reads the last user text; in rerank requests, the query. Text directives also work
for audio, as far as they make sense there.

The journal keeps the counts of media directives, by kind and task (or job, for polls and downloads), across restarts. Counts of text
directives are in memory, by kind and text.
`;

const KEYWORDS = `
## Moderation keywords

\`POST /v1/moderations\` flags these words in any form with the same stem. A category after a slash also flags the one before it.

| Category | Keywords |
|---|---|
`;

/** Returns the text of docs/extend/sandbox-directives.md. */
export function directivesPage(): string {
  const tables = GROUPS.map(({ title, capabilities }) => {
    const rows = ALL_DIRECTIVES.filter(({ capability }) => capabilities.includes(capability));
    const head = `\n## ${title}\n\n| Directive | Capability | Call | Times | Sandbox | Result |\n|---|---|---|---|---|---|\n`;
    const cells = rows.map(({ word, capability, call, times, effect, ending }) =>
      [`\`${word}\``, capability, call, times, effect, ending].join(' | '),
    );
    return head + cells.map((row) => `| ${row} |\n`).join('');
  });
  const keywords = Object.entries(MODERATION_KEYWORDS).map(
    ([name, words]) => `| \`${name}\` | ${words.join(', ')} |\n`,
  );
  return HEAD + tables.join('') + KEYWORDS + keywords.join('');
}
