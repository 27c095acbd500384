import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { betasAt } from './betas.ts';

const PLATFORMS: Readonly<Record<string, string>> = {
  'Amazon Bedrock (`bedrock-runtime`)': 'https://bedrock-runtime.us-east-1.amazonaws.com/anthropic',
  'Amazon Bedrock (`bedrock-mantle`)': 'https://bedrock-mantle.us-east-1.api.aws/anthropic',
  'Vertex AI': 'https://us-east5-aiplatform.googleapis.com/v1/projects/p',
  'Microsoft Foundry': 'https://mine.services.ai.azure.com/anthropic',
};
const LISTS = Object.values(PLATFORMS).map((url) => betasAt(url) ?? []);

describe('betasAt', () => {
  it.each([
    ['https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com', 0],
    ['https://vpce-1.bedrock-runtime.eu-central-1.vpce.amazonaws.com', 0],
    ['https://aiplatform.googleapis.com', 2],
    ['https://aiplatform.eu.rep.googleapis.com/v1/projects/p', 2],
    ['https://api.anthropic.com', undefined],
    ['https://aws-external-anthropic.us-east-1.api.aws', undefined],
    ['http://127.0.0.1:8079', undefined],
    ['https://bedrock-runtime.us-east-1.amazonaws.com.example.org', undefined],
  ])('returns the list of %s', (url, platform) => {
    expect(betasAt(url)).toBe(platform === undefined ? undefined : LISTS[platform]);
  });
});

const PAGE = join(import.meta.dirname, '../../../../docs/operate/upstreams/messages.md');
const TABLE = /\| Value \|[^]*?\n\n/;

describe('docs/operate/upstreams/messages.md', () => {
  it('lists the values of each platform', () => {
    const page = readFileSync(PAGE, 'utf8');
    const values = [...new Set(LISTS.flat())].toSorted();
    const head = ['Value', ...Object.keys(PLATFORMS)];
    const lines = [
      `| ${head.join(' | ')} |`,
      `|${head.map(() => '---|').join('')}`,
      ...values.map((value) => {
        const cells = LISTS.map((betas) => (betas.includes(value) ? 'yes' : 'no'));
        return `| \`${value}\` | ${cells.join(' | ')} |`;
      }),
    ];
    const expected = page.replace(TABLE, () => `${lines.join('\n')}\n\n`);
    if (process.env['SLUICE_GOLDEN'] === 'write') writeFileSync(PAGE, expected);
    else expect(page).toBe(expected);
  });
});
