import { testAudioForms } from '../../../test/bad-input/audio-requests.ts';

testAudioForms('/v1/audio/transcriptions', [
  ['language is not a language code', [['language', 'en; rm']], 'language'],
  ['a granularity is unknown', [['timestamp_granularities[]', 'letter']], 'timestamp_granularities[0]'],
  ['timestamp_granularities is invalid JSON', [['timestamp_granularities', '["word"']], 'timestamp_granularities'],
  [
    'timestamp_granularities has 5,000 items',
    [['timestamp_granularities', ',word'.repeat(5_000)]],
    'timestamp_granularities',
  ],
  [
    'subtitles are streamed',
    [
      ['stream', 'true'],
      ['response_format', 'srt'],
    ],
    'stream',
  ],
  ['stream is neither true nor false', [['stream', 'yes']], 'stream'],
]);
