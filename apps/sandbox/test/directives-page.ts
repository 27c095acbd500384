import { ALL_DIRECTIVES } from '../src/directives/all-directives.ts';
import { MODERATION_KEYWORDS } from '../src/wires/moderations/moderation-keywords.ts';

const GROUPS = [
  { title: 'Videos and images', capabilities: ['video, image', 'image'] },
  { title: 'Text', capabilities: ['text'] },
  { title: 'Speech and realtime', capabilities: ['speech', 'realtime'] },
  { title: 'Batches', capabilities: ['batch'] },
];

const HEAD = `# Sandbox directives

<!-- Generated: \`SLUICE_GOLDEN=write npm test -- directives-docs\`. -->

A directive is a word in a prompt that changes how the [sandbox](sandbox.md) behaves. For example, \`a paper boat [429]\` makes the sandbox
refuse the first two submissions of a task. Directives can be anywhere in the prompt, are not case-sensitive, and can be combined.

In a text request, the sandbox looks for directives in the text of the last user message. In a rerank request, it looks in the query. Most
text directives also work for audio.

In a batch, each line applies the directives of its own text. The directives of the batch itself begin with \`batch:\`, and can be anywhere
in its first line.

The column "Call" shows which request a directive affects: the submission of a task, a poll, or the download of a file (\`content\`).

Some directives affect only the first calls, as the column "Applies to" shows. For videos and images, the sandbox counts the submissions of
each task, and the polls and downloads of each job. It stores these counts in its journal, so they survive restarts. For text, it counts the
calls with the same text to the same kind, and loses these counts when it restarts.
`;

const KEYWORDS = `
## Moderation keywords

\`POST /v1/moderations\` flags these words, and other words with the same stem. If it flags a category with a slash, such as
\`hate/threatening\`, it also flags the category before the slash.

| Category | Keywords |
|---|---|
`;

/** Renders docs/extend/sandbox-directives.md. */
export function directivesPage(): string {
  const tables = GROUPS.map(({ title, capabilities }) => {
    const rows = ALL_DIRECTIVES.filter(({ capability }) => capabilities.includes(capability));
    const head = `\n## ${title}\n\n| Directive | Capability | Call | Applies to | Behavior of the sandbox | Result in Sluice |\n|---|---|---|---|---|---|\n`;
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
