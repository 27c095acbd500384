import { expect, it } from 'vitest';
import { encodeSrt, encodeVtt } from './subtitles.ts';

const SEGMENTS = [
  { start: 0, end: 1.0004, text: ' One & <two>\n\n --> three ' },
  { start: 3_661.9996, end: 360_000, text: 'Four' },
  { start: 5, end: 4, text: '' },
];

it('writes SubRip with numbers from one, commas in times, and no blank line within a text', () => {
  expect(encodeSrt(SEGMENTS)).toBe(
    '1\n00:00:00,000 --> 00:00:01,000\nOne & <two>\n--> three\n\n' +
      '2\n01:01:02,000 --> 100:00:00,000\nFour\n\n' +
      '3\n00:00:05,000 --> 00:00:05,000\n\n\n',
  );
});

it('writes WebVTT with points in times and no markup within a text', () => {
  expect(encodeVtt(SEGMENTS.slice(0, 1))).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nOne &amp; &lt;two&gt;\n--&gt; three\n\n',
  );
  expect(encodeVtt([])).toBe('WEBVTT\n\n');
});
