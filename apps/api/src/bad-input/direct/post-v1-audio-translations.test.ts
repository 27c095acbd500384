import { testAudioForms } from '../../../test/bad-input/audio-requests.ts';

testAudioForms('/v1/audio/translations');
