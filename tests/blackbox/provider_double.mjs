// A server that answers as the APIs of Gemini and of Seedream (Ark) do, well and badly.
import http from 'node:http';
import { png } from './pictures.mjs';

export const gemini_key = 'AIza-test-key-of-gemini';
export const ark_key = 'ark-test-key-of-seedream';

const analysis = {
  labels: [{ name: 'Harbour', confidence: 0.81 }, { name: 'Boat', confidence: 0.97 }],
  description: 'Boats in a harbour.',
  safeSearch: { adult: 'VERY_UNLIKELY', violence: 'UNLIKELY' },
};

export class ProviderDouble {
  requests = []; // {path, headers, body}
  // Called with each request; may return {status, headers, body, delay_ms} in place of the usual answer.
  answer = () => undefined;

  async start() {
    this.server = http.createServer((request, response) => this.#handle(request, response));
    this.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.server.once('listening', resolve));
    this.endpoint = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  // For the environment of a worker.
  get env() {
    return {
      GEMINI_API_KEY: gemini_key, WAYBILL_GEMINI_ENDPOINT: this.endpoint,
      ARK_API_KEY: ark_key, WAYBILL_SEEDREAM_ENDPOINT: this.endpoint,
      WAYBILL_PROVIDER_TIMEOUT_S: '1', WAYBILL_PROVIDER_PATIENCE_S: '5',
    };
  }

  #usual({ path, headers, body }) {
    if (path === '/v1beta/models/gemini-2.5-flash:generateContent') {
      if (headers['x-goog-api-key'] !== gemini_key) return { status: 400, body: { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } } };
      return { body: { candidates: [{ content: { parts: [{ text: JSON.stringify(analysis) }], role: 'model' }, finishReason: 'STOP', index: 0 }], modelVersion: 'gemini-2.5-flash' } };
    }
    if (path === '/v1beta/models/gemini-2.5-flash-image:generateContent') {
      return { body: { candidates: [{ content: { parts: [{ text: 'Here it is.' }, { inlineData: { mimeType: 'image/png', data: png(40, 30).toString('base64') } }], role: 'model' }, finishReason: 'STOP', index: 0 }] } };
    }
    if (path === '/api/v3/images/generations') {
      if (headers.authorization !== `Bearer ${ark_key}`) return { status: 401, body: { error: { code: 'AuthenticationError', message: 'the API key or AK/SK in the request is missing or invalid', param: '', type: 'Unauthorized' } } };
      return { body: { model: body.model, created: 1757323224, data: [{ b64_json: png(64, 48).toString('base64'), size: '64x48' }], usage: { generated_images: 1, output_tokens: 16384, total_tokens: 16384 } } };
    }
    return { status: 404, body: { error: { code: 404, message: `nothing at ${path}`, status: 'NOT_FOUND' } } };
  }

  async #handle(request, response) {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const asked = { path: request.url, headers: request.headers, body: JSON.parse(Buffer.concat(pieces)) };
    this.requests.push(asked);
    const { status = 200, headers = {}, body, delay_ms = 0 } = this.answer(asked, this.requests.length) ?? this.#usual(asked);
    if (delay_ms) await new Promise((resolve) => setTimeout(resolve, delay_ms));
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}
