// The servers that are measured, in the order of the tables.
import { Dynalite } from './dynalite.mjs';
import { Dynoxide } from './dynoxide.mjs';
import { NullServer } from './null_server.mjs';
import { Postgres } from './postgres.mjs';
import { Waybill } from './waybill.mjs';

export { Dynalite, Dynoxide, NullServer, Postgres, Waybill };
export const peers = [Waybill, Dynoxide, Dynalite, Postgres, NullServer];
export const peerOf = (id) => peers.find((peer) => peer.id === id);
