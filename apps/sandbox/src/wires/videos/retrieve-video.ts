import type { FastifyReply } from 'fastify';
import type { VideoJob } from '../../jobs/video-job.ts';
import { FAILED_POLLS, GARBLED_POLLS, hasWord, PROMPT_WORDS } from '../../prompt-words.ts';
import { VendorError } from './vendor-error.ts';
import { videoObject } from './video-object.ts';
import type { VideosVendor } from './videos-vendor.ts';

/** The nonsense of the n-th garbled poll: each kind was seen at a reseller of this wire. */
function sendGarbage(reply: FastifyReply, job: VideoJob, turn: number): FastifyReply {
  switch (turn % GARBLED_POLLS) {
    case 1:
      return reply.send({ id: job.id, object: 'video', status: 'NOT_START', progress: '12%' });
    case 2:
      return reply.type('text/html').send('<html><body>One moment, please</body></html>');
    default:
      return reply.type('application/json').send(`{"id":"${job.id}","object":"video","status":"in_pro`);
  }
}

/** `GET /v1/videos/{id}`: tells how a job stands, unless a word in its prompt garbles or breaks this poll. */
export function retrieveVideo(vendor: VideosVendor, job: VideoJob, reply: FastifyReply): FastifyReply {
  const { ledger } = vendor;
  const { broken, garbled } = PROMPT_WORDS;
  if (hasWord(job.prompt, 'broken') && ledger.takeFault(job.id, broken.word, FAILED_POLLS)) {
    throw new VendorError(500, 'The server had an error while processing your request.', {
      type: 'server_error',
      code: 'server_error',
    });
  }
  if (hasWord(job.prompt, 'garbled') && ledger.takeFault(job.id, garbled.word, GARBLED_POLLS)) {
    return sendGarbage(reply, job, ledger.faults(job.id, garbled.word));
  }
  return reply.send(videoObject(job, vendor.now()));
}
