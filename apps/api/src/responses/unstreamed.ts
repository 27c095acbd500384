import { type TextRequest, withBody } from '@sluice/protocols';

export function unstreamed(request: TextRequest): TextRequest {
  const { stream: _stream, ...body } = request.body();
  return { ...withBody(request, body), stream: false };
}
