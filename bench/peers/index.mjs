// The servers that are measured, in the order of the tables.
import { Bullmq } from './bullmq.mjs';
import { Dynalite } from './dynalite.mjs';
import { Dynoxide } from './dynoxide.mjs';
import { Fauxqs } from './fauxqs.mjs';
import { GraphileWorker } from './graphile_worker.mjs';
import { NullServer } from './null_server.mjs';
import { PgBoss } from './pg_boss.mjs';
import { Postgres } from './postgres.mjs';
import { Restate } from './restate.mjs';
import { Waybill } from './waybill.mjs';

export { Dynalite, Dynoxide, NullServer, Postgres, Waybill };
export const peers = [Waybill, Dynoxide, Dynalite, Postgres, NullServer, Fauxqs, Bullmq, PgBoss, GraphileWorker, Restate];
export const peerOf = (id) => peers.find((peer) => peer.id === id);
