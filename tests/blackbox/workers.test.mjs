// The built-in workers for texts, images and photos, in a process of their own: `waybill work` with the jobs of one server
// and the objects of another. That they do what the documents ask, fail as the documents say, and live through a server
// of objects that does not always answer.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { ours, runBinary, sleep, unique, until } from './harness.mjs';
import { newImage, newPhoto } from './jobs_client.mjs';
import { ObjectShelf } from './object_shelf.mjs';
import { jpeg, png, turnedJpeg, webpSize } from './pictures.mjs';
import { ark_key, gemini_key, ProviderDouble } from './provider_double.mjs';
import { startWorker, WorkerBench } from './worker_client.mjs';

describe('built-in workers', ours, () => {
  let bench, shelf, provider;
  before(async () => {
    shelf = await new ObjectShelf().start();
    provider = await new ProviderDouble().start();
    bench = await WorkerBench.start({ workerArgs: ['--objects-endpoint', shelf.endpoint, '--slots', '2'], env: provider.env });
  });
  after(async () => {
    assert.equal(await bench.stop(), 0, bench.worker.run.output);
    await Promise.all([shelf.stop(), provider.stop()]);
    assert.deepEqual(readdirSync(bench.worker.temp), [], 'nothing is left of its files');
  });

  describe('004, texts', () => {
    const analyse = async (bytes, { s3Key = `texts/${unique()}.txt` } = {}) => {
      if (bytes !== undefined) shelf.put('texts', s3Key, bytes);
      const { fileId } = await bench.create('text-analyzer/file', { ownerId: 'o1', s3Bucket: 'texts', s3Key, originalFileName: 'a.txt' });
      await bench.announce('text-analyzer-queue', { fileId });
      return bench.ended(`text-analyzer/file/${fileId}`, 'status', ['COMPLETED', 'FAILED']);
    };

    test('T2, T4: PENDING to COMPLETED with the result inline', async () => {
      const file = await analyse('The cat and the dog. THE END\n');
      assert.equal(file.status, 'COMPLETED', file.errorMessage);
      assert.deepEqual(file.result, {
        totalWords: 7, uniqueWords: 5, avgWordLength: 3,
        top10Words: [{ word: 'the', count: 3 }, { word: 'and', count: 1 }, { word: 'cat', count: 1 }, { word: 'dog', count: 1 }, { word: 'end', count: 1 }],
      });
      assert.equal(file.errorMessage, undefined);
      const { items } = await bench.get(`text-analyzer/file/${file.fileId}:history`);
      assert.deepEqual(items.map((line) => line.to).filter((to, i, all) => to && to !== all[i - 1]), ['PENDING', 'IN_PROGRESS', 'COMPLETED']);
      assert.match(items.at(-1).actor, /text@/);
    });

    test('T2: a COMPLETED file is not processed again', async () => {
      const file = await analyse('once');
      const before = (await bench.get(`text-analyzer/file/${file.fileId}:history`)).items.length;
      await bench.announce('text-analyzer-queue', { fileId: file.fileId });
      await analyse('a later one, so that the second message is gone');
      assert.equal((await bench.get(`text-analyzer/file/${file.fileId}:history`)).items.length, before);
      assert.equal((await bench.get(`text-analyzer/file/${file.fileId}`)).updatedAt, file.updatedAt);
    });

    test('T4: words of other scripts and encodings, by Unicode', async () => {
      const words = 'Straße STRASSE naïve нет нет 東京';
      for (const bytes of [Buffer.from(words), Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(words, 'utf16le')])]) {
        const { result } = await analyse(bytes);
        assert.equal(result.totalWords, 6);
        assert.equal(result.uniqueWords, 4);
        assert.deepEqual(result.top10Words.slice(0, 2), [{ word: 'strasse', count: 2 }, { word: 'нет', count: 2 }]);
      }
    });

    test('T4: an empty text has no words, and a long one is counted to its end', async () => {
      assert.deepEqual((await analyse('')).result, { totalWords: 0, uniqueWords: 0, avgWordLength: 0, top10Words: [] });
      const { result } = await analyse('lorem ipsum dolor '.repeat(300_000));
      assert.equal(result.totalWords, 900_000);
      assert.equal(result.avgWordLength, 5);
    });

    test('T5: what is no text fails, and errorMessage says what is wrong; a result has none', async () => {
      const broken = await analyse(Buffer.from([0x68, 0x69, 0x20, 0, 1, 2, 3]));
      assert.equal(broken.status, 'FAILED');
      assert.match(broken.errorMessage, /byte 3 is a control code/);
      assert.equal(broken.result, undefined);
    });

    test('T5: an upload that is not there fails as such', async () => {
      const missing = await analyse(undefined);
      assert.equal(missing.status, 'FAILED');
      assert.match(missing.errorMessage, /the upload is not there: s3:\/\/texts\/.*NoSuchKey/);
    });

    test('answers that are late, cut off or damaged are asked for again', async () => {
      const mishaps = ['unavailable', 'cut', 'damaged'];
      shelf.mishap = ({ name }) => (name.includes('mishaps') ? mishaps.shift() : undefined);
      const file = await analyse('all is well in the end', { s3Key: 'texts/mishaps.txt' });
      shelf.mishap = () => undefined;
      assert.equal(file.status, 'COMPLETED', file.errorMessage);
      assert.deepEqual(mishaps, []);
      assert.equal(file.result.totalWords, 6);
    });

    test('what only seems to be no text, as it arrived damaged or cut off, is asked for again', async () => {
      const mishaps = ['damaged', 'cut', 'damaged'];
      shelf.mishap = ({ name }) => (name.includes('mishaps') ? mishaps.shift() : undefined);
      // Without its byte order mark, which begins with the byte that is damaged, it is none.
      const text = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('all is well in the end', 'utf16le')]).swap16();
      const file = await analyse(text, { s3Key: 'texts/mishaps-16.txt' });
      shelf.mishap = () => undefined;
      assert.equal(file.status, 'COMPLETED', file.errorMessage);
      assert.deepEqual(mishaps, []);
      assert.equal(file.result.totalWords, 6);
    });

    test('names of objects may have spaces, percent signs, dots and letters of any script', async () => {
      for (const s3Key of ['a b/c+d.txt', '100%.txt', 'über/日本.txt', 'x/../y.txt', "q?&=;:@'()*.txt"]) {
        const file = await analyse('one two', { s3Key });
        assert.equal(file.status, 'COMPLETED', `${s3Key}: ${file.errorMessage}`);
      }
    });
  });

  describe('001, images', () => {
    const bucket = 'images-lego-moc-dev';
    const process = async (bytes, fields = {}) => {
      const image = await bench.create('image-service/image', newImage(fields));
      shelf.put(bucket, `uploads/${image.userId}/${image.id}`, bytes);
      await bench.announce('images-dev-queue', { id: image.id });
      return bench.ended(`image-service/image/${image.id}`, 'processingStatus', ['completed', 'failed']);
    };

    test('I11: WebP and thumbnail, dimensions and sizes, pending to completed', async () => {
      const original = png(640, 400);
      const image = await process(original);
      assert.equal(image.processingStatus, 'completed', image.processingError);
      assert.deepEqual([image.width, image.height, image.aspectRatio], [640, 400, 1.6]);
      assert.deepEqual([image.format, image.quality, image.mimeType, image.fileSize], ['webp', 85, 'image/png', original.length]);
      const webp = shelf.get(bucket, image.s3Key);
      assert.equal(webp.length, image.processedSize);
      assert.deepEqual(webpSize(webp), { width: 640, height: 400 });
      assert.deepEqual(webpSize(shelf.get(bucket, image.thumbnailKey)), { width: 300, height: 188 });
      assert.equal(shelf.objects.get(`${bucket}/${image.s3Key}`).type, 'image/webp');
      const { items } = await bench.get(`image-service/image/${image.id}:history`);
      assert.deepEqual(items.map((line) => line.to).filter((to, i, all) => to && to !== all[i - 1]), ['pending', 'processing', 'completed']);
    });

    test('I11: EXIF says how the camera was held', async () => {
      const image = await process(turnedJpeg(6), { mimeType: 'image/jpeg' });
      assert.equal(image.processingStatus, 'completed', image.processingError);
      assert.deepEqual([image.width, image.height], [32, 48]);
      assert.deepEqual(webpSize(shelf.get(bucket, image.s3Key)), { width: 32, height: 48 });
    });

    test('I11: what the file is counts, not what was said of it', async () => {
      const image = await process(jpeg(), { mimeType: 'image/png', fileSize: 1 });
      assert.deepEqual([image.mimeType, image.fileSize], ['image/jpeg', jpeg().length]);
    });

    test('I11: hostile files fail cleanly, and processingError says why', async () => {
      const cases = [
        [png(16, 16, { claims: [60_000, 60_000] }), /pixels|broken/i], // a bomb
        [png(400, 300).subarray(0, 900), /broken|cut/i],
        [Buffer.from('GIF89a not really'), /./],
        [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /no image that is known/],
        [Buffer.alloc(0), /./],
      ];
      for (const [bytes, words] of cases) {
        const image = await process(bytes);
        assert.equal(image.processingStatus, 'failed');
        assert.match(image.processingError, words);
        assert.equal(shelf.get(bucket, image.s3Key), undefined, 'nothing is left of it');
      }
    });
  });

  describe('000, photos', () => {
    const edit = async (bytes, fields = {}) => {
      const s3TempKey = `uploads/${unique()}.png`;
      if (bytes) shelf.put('photoeditor-dev-temp', s3TempKey, bytes);
      const job = await bench.create('photo-editor/job', newPhoto({ s3TempKey, correlationId: unique('correlation'), traceId: unique('trace'), ...fields }));
      return bench.ended(`photo-editor/job/${job.jobId}`, 'status', ['COMPLETED', 'FAILED']);
    };
    const way = async (job) => (await bench.get(`photo-editor/job/${job.jobId}:history`)).items.map((line) => line.to).filter((to, i, all) => to && to !== all[i - 1]);

    test('P14: the stub analyses and edits a photo, from the temp bucket to the final one', async () => {
      const job = await edit(png(320, 200));
      assert.equal(job.status, 'COMPLETED', JSON.stringify(job.error));
      assert.deepEqual(await way(job), ['QUEUED', 'PROCESSING', 'EDITING', 'COMPLETED']);
      assert.ok(job.analysisResult.labels.length > 0);
      for (const { name, confidence } of job.analysisResult.labels) assert.ok(name && confidence >= 0.5 && confidence <= 1);
      assert.match(job.analysisResult.description, /320 by 200 pixels/);
      assert.match(job.analysisResult.safeSearch.adult, /^(VERY_UNLIKELY|UNLIKELY|POSSIBLE)$/);
      const { editResult, s3FinalKey } = job;
      assert.equal(editResult.s3Key, s3FinalKey);
      assert.ok(s3FinalKey.startsWith(`${job.userId}/${job.jobId}/`));
      const edited = shelf.get('photoeditor-dev-final', s3FinalKey);
      assert.equal(edited.length, editResult.size);
      assert.equal(editResult.format, 'png');
      assert.deepEqual([edited.readUInt32BE(16), edited.readUInt32BE(20)], [editResult.width, editResult.height]);
      assert.ok(job.processingStartedAt && job.processingCompletedAt >= job.processingStartedAt);
      assert.equal(job.error, undefined);
    });

    test('P14, P13: correlationId and traceId are in the log', async () => {
      const job = await edit(png(64, 64));
      await until('the log names them', () => bench.worker.run.output.includes(`photo-editor/job/${job.jobId} correlationId=${job.correlationId} traceId=${job.traceId}`));
    });

    test('P14: a JPEG stays one, and the same photo gives the same file', async () => {
      const [one, two] = [await edit(jpeg()), await edit(jpeg())];
      assert.equal(one.editResult.format, 'jpeg');
      const bytes = (job) => shelf.get('photoeditor-dev-final', job.s3FinalKey);
      assert.ok(bytes(one).equals(bytes(two)));
    });

    test('P14: a photo that is none fails by way of EDITING, with code and message', async () => {
      const job = await edit(Buffer.from('no photo at all, whatever its name may be'));
      assert.deepEqual(await way(job), ['QUEUED', 'PROCESSING', 'EDITING', 'FAILED']);
      assert.equal(job.error.code, 'IMAGE_UNSUPPORTED');
      assert.ok(job.error.message);
      const missing = await edit(undefined);
      assert.equal(missing.error.code, 'OBJECT_MISSING');
    });

    test('P14: gemini analyses and edits by its API', async () => {
      provider.requests = [];
      const job = await edit(png(120, 90), { provider: 'gemini' });
      assert.equal(job.status, 'COMPLETED', JSON.stringify(job.error));
      assert.deepEqual(job.analysisResult, {
        labels: [{ name: 'Boat', confidence: 0.97 }, { name: 'Harbour', confidence: 0.81 }],
        description: 'Boats in a harbour.', safeSearch: { adult: 'VERY_UNLIKELY', violence: 'UNLIKELY' },
      });
      assert.deepEqual([job.editResult.width, job.editResult.height, job.editResult.format], [40, 30, 'png']);
      const [analysis, image] = provider.requests;
      assert.equal(analysis.headers['x-goog-api-key'], gemini_key);
      const [text, photo] = analysis.body.contents[0].parts;
      assert.ok(text.text);
      assert.equal(photo.inline_data.mime_type, 'image/jpeg');
      assert.equal(Buffer.from(photo.inline_data.data, 'base64').readUInt16BE(0), 0xffd8);
      assert.equal(analysis.body.generationConfig.responseMimeType, 'application/json');
      assert.deepEqual(image.body.generationConfig.responseModalities, ['TEXT', 'IMAGE']);
    });

    test('P14: seedream edits by its API', async () => {
      provider.requests = [];
      const job = await edit(jpeg(), { provider: 'seedream' });
      assert.equal(job.status, 'COMPLETED', JSON.stringify(job.error));
      assert.deepEqual([job.editResult.width, job.editResult.height, job.editResult.format], [64, 48, 'jpeg']);
      const [{ headers, body }] = provider.requests;
      assert.equal(headers.authorization, `Bearer ${ark_key}`);
      assert.match(body.image, /^data:image\/jpeg;base64,\/9j\//);
      assert.deepEqual([body.response_format, body.watermark, body.stream], ['b64_json', false, false]);
    });

    const failsWith = async (name, code, words, answer) => {
      provider.answer = answer;
      const job = await edit(png(60, 40), { provider: name });
      provider.answer = () => undefined;
      assert.equal(job.status, 'FAILED');
      assert.equal(job.error.code, code, job.error.message);
      assert.match(job.error.message, words);
      for (const secret of [gemini_key, ark_key]) {
        assert.ok(!JSON.stringify(job).includes(secret), 'a key is in the record');
      }
      return job;
    };

    test('P14: a provider that refuses a photo fails the job for good', async () => {
      await failsWith('gemini', 'PROVIDER_REFUSED', /SAFETY/, () => ({ body: { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 5 } } }));
      await failsWith('gemini', 'PROVIDER_REFUSED', /PROHIBITED_CONTENT/, () => ({ body: { candidates: [{ finishReason: 'PROHIBITED_CONTENT', index: 0 }] } }));
      await failsWith('seedream', 'PROVIDER_REFUSED', /InputImageSensitiveContentDetected/, () => ({ status: 400, body: { error: { code: 'InputImageSensitiveContentDetected', message: 'The request failed because the input image may contain sensitive information.', param: 'image', type: 'BadRequest' } } }));
    });

    test('P14: a wrong key is named as such, and never shown', async () => {
      await failsWith('gemini', 'PROVIDER_KEY_REFUSED', /API key not valid/, () => ({ status: 400, body: { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } } }));
      await failsWith('seedream', 'PROVIDER_KEY_REFUSED', /AuthenticationError/, () => ({ status: 401, body: { error: { code: 'AuthenticationError', message: 'the API key is missing or invalid' } } }));
      assert.ok(!bench.worker.run.output.includes(gemini_key) && !bench.worker.run.output.includes(ark_key), 'a key is in the log');
    });

    test('P14: 429 with Retry-After and 503 are waited for', async () => {
      let asked = 0;
      provider.answer = () => {
        asked += 1;
        if (asked === 1) return { status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 429, message: 'Resource has been exhausted', status: 'RESOURCE_EXHAUSTED' } } };
        if (asked === 2) return { status: 503, body: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } } };
        return undefined;
      };
      const begun = Date.now();
      const job = await edit(png(60, 40), { provider: 'gemini' });
      provider.answer = () => undefined;
      assert.equal(job.status, 'COMPLETED', JSON.stringify(job.error));
      assert.equal(asked, 4);
      assert.ok(Date.now() - begun >= 2_000);
    });
  });

  test('jobs stand back behind others on the machine, as far as is said', async () => {
    // Of every thread that works on texts; the 19th field of its line, its name and what is before it left out.
    const niceOf = ({ pid }) =>
      readdirSync(`/proc/${pid}/task`)
        .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'))
        .filter((line) => line.includes('(text-worker)'))
        .map((line) => Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[16]));
    for (const [args, nice] of [[[], 10], [['--nice', '3'], 3]]) {
      const worker = startWorker(bench.server, ['--only', 'text', '--slots', '1', ...args]);
      await until(`jobs stand back by ${nice}`, () => niceOf(worker.run.child)[0] === nice);
      assert.equal(await worker.stop(), 0);
    }
    const refused = runBinary(['work', '--nice', '20'], { within_ms: 10_000 });
    assert.notEqual(await refused.exited, 0);
    assert.match(refused.output, /--nice/);
  });

  test('a worker that is not known is refused with those that are', async () => {
    const run = runBinary(['work', '--only', 'text,video'], { within_ms: 10_000 });
    assert.equal(await run.exited, 1);
    assert.match(run.output, /--only: there is no worker "video"; there are photo, image, text/);
  });
});

describe('workers and troubles that may pass', ours, () => {
  test('P14: a provider that is slow, babbles or has no quota: the job is put off, and fails at last with its code', async () => {
    const shelf = await new ObjectShelf().start();
    const provider = await new ProviderDouble().start();
    const bench = await WorkerBench.start({ workerArgs: ['--objects-endpoint', shelf.endpoint, '--slots', '4', '--only', 'photo'], env: { ...provider.env, WAYBILL_PROVIDER_PATIENCE_S: '1' } });
    const answers = {
      timeout: () => ({ delay_ms: 3_000, body: '{}' }),
      quota: () => ({ status: 429, headers: { 'retry-after': '60' }, body: { error: { code: 'QuotaExceeded', message: 'You have exceeded your quota' } } }),
      broken: () => ({ body: '{"data":[{"b64_json":"AAAA' }),
      rubbish: () => ({ body: { data: [{ b64_json: Buffer.from('no image').toString('base64') }] } }),
    };
    const codes = { timeout: 'PROVIDER_TIMEOUT', quota: 'PROVIDER_QUOTA', broken: 'PROVIDER_BAD_ANSWER', rubbish: 'PROVIDER_BAD_ANSWER' };
    const kinds = new Map();
    for (const [kind, answer] of Object.entries(answers)) {
      provider.answer = answer;
      const s3TempKey = `${kind}.png`;
      shelf.put('photoeditor-dev-temp', s3TempKey, png(30, 20));
      const { jobId } = await bench.create('photo-editor/job', newPhoto({ s3TempKey, provider: 'seedream' }));
      kinds.set(kind, jobId);
      await until(`${kind} is put off`, () => bench.worker.run.output.includes(codes[kind]) && bench.worker.run.output.includes(`/${jobId}`), { timeout_ms: 20_000 });
      const job = await until(`${kind} is told`, async () => {
        const record = await bench.get(`photo-editor/job/${jobId}`);
        return record.error && record;
      });
      assert.equal(job.status, 'EDITING', 'trouble that may pass does not end a job at once');
      assert.deepEqual([job.error.code, job.error.retryCount], [codes[kind], 1], 'the record says what stood in the way');
    }
    assert.equal(await bench.stop(), 0);
    await Promise.all([shelf.stop(), provider.stop()]);
  });

  test('a server that comes late, goes away and comes back', async () => {
    const shelf = await new ObjectShelf().start();
    const bench = await WorkerBench.start({ workerArgs: ['--objects-endpoint', shelf.endpoint, '--only', 'text'] });
    shelf.put('texts', 'a.txt', 'one two three');
    const make = async () => {
      const { fileId } = await bench.create('text-analyzer/file', { ownerId: 'o1', s3Bucket: 'texts', s3Key: 'a.txt', originalFileName: 'a.txt' });
      await bench.announce('text-analyzer-queue', { fileId });
      return bench.ended(`text-analyzer/file/${fileId}`, 'status', ['COMPLETED']);
    };
    await make();
    await bench.server.stop('SIGKILL');
    await sleep(1_000);
    const { args, port, data } = { args: [], port: bench.server.port, data: bench.server.data };
    const back = runBinary(['serve', '--listen', `127.0.0.1:${port}`, '--data', data, '--workers', 'none', ...args]);
    await until('it is back', () => fetch(`${bench.server.endpoint}/health`).then(({ status }) => status === 200, () => false));
    await make();
    assert.equal(await bench.worker.stop(), 0);
    back.child.kill('SIGTERM');
    await back.exited;
    await shelf.stop();
  });

  test('SIGTERM gives a job back that takes too long, and another worker gets it at once', async () => {
    const shelf = await new ObjectShelf().start();
    const provider = await new ProviderDouble().start();
    const options = { ...provider.env, WAYBILL_PROVIDER_TIMEOUT_S: '60', WAYBILL_PROVIDER_PATIENCE_S: '120' };
    const bench = await WorkerBench.start({ workerArgs: ['--objects-endpoint', shelf.endpoint, '--only', 'photo', '--lease', '300'], env: options });
    shelf.put('photoeditor-dev-temp', 'a.png', png(30, 20));
    let asked = 0;
    provider.answer = () => (asked++ === 0 ? { delay_ms: 60_000, body: '{}' } : undefined);
    const { jobId } = await bench.create('photo-editor/job', newPhoto({ s3TempKey: 'a.png', provider: 'seedream' }));
    await until('it is under way', () => asked === 1);
    const begun = Date.now();
    assert.equal(await bench.worker.stop(), 0);
    assert.ok(Date.now() - begun < 8_000, 'a few seconds of grace, no more');
    assert.match(bench.worker.run.output, /gives a job back/);
    bench.worker = startWorker(bench.server, ['--objects-endpoint', shelf.endpoint, '--only', 'photo'], { env: options });
    const job = await bench.ended(`photo-editor/job/${jobId}`, 'status', ['COMPLETED', 'FAILED']);
    assert.equal(job.status, 'COMPLETED', JSON.stringify(job.error));
    assert.equal(job.error, undefined, 'a worker that has to go is no failed attempt');
    await bench.stop();
    await Promise.all([shelf.stop(), provider.stop()]);
  });

  test('a job that was canceled is stopped at the next heartbeat, and nothing is written', async () => {
    const shelf = await new ObjectShelf().start();
    const provider = await new ProviderDouble().start();
    const env = { ...provider.env, WAYBILL_PROVIDER_TIMEOUT_S: '60', WAYBILL_PROVIDER_PATIENCE_S: '120' };
    const bench = await WorkerBench.start({ workerArgs: ['--objects-endpoint', shelf.endpoint, '--only', 'photo', '--lease', '3'], env });
    shelf.put('photoeditor-dev-temp', 'a.png', png(30, 20));
    provider.answer = () => ({ delay_ms: 5_000, body: { data: [{ b64_json: png(8, 8).toString('base64') }] } });
    const { jobId } = await bench.create('photo-editor/job', newPhoto({ s3TempKey: 'a.png', provider: 'seedream' }));
    await until('it is under way', () => provider.requests.length > 0);
    assert.equal((await bench.api('DELETE', `photo-editor/job/${jobId}`)).status, 204);
    await until('the worker leaves it', () => bench.worker.run.output.includes('has lost a job'));
    assert.deepEqual(shelf.puts, []);
    await bench.stop();
    await Promise.all([shelf.stop(), provider.stop()]);
  });
});
