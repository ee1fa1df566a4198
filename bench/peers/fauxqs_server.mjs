// Starts fauxqs for this machine alone: by itself it listens on every interface, and has no option for another.
import net from 'node:net';
import { startFauxqs } from 'fauxqs';

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function listenHere(options, ...rest) {
  return listen.call(this, { ...options, host: '127.0.0.1' }, ...rest);
};

const [port, dataDir] = process.argv.slice(2);
const server = await startFauxqs({ port: Number(port), logger: false, dataDir });
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => server.stop().then(() => process.exit(0)));
