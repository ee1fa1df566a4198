// PartiQL says with one statement what Query, Scan and the writes of single items say with expressions: it must
// find, change and charge the same. Where it differs from them (INSERT is no upsert, UPDATE creates nothing,
// columns are flat), it must do so as DynamoDB does.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { N, S, conditionFailed, createTable, db, differs, doc, fails, fill, invalid, ours, pages, unique } from './harness.mjs';

let table; // pk, sk, a local and two global indexes
let plain; // pk alone
before(async () => {
  table = await createTable('pk:S sk:N', {
    gsi: { ByOwner: 'owner:S at:N', Slim: 'owner:S' }, lsi: { ByRank: 'pk:S rank:N' }, projection: { Slim: ['note'], ByRank: 'KEYS_ONLY' },
  });
  plain = await createTable('pk:S');
});

const execute = (Statement, Parameters, more = {}) => db.executeStatement({ Statement, ...(Parameters && { Parameters }), ...more });
const items = async (...request) => (await execute(...request)).Items;
const get = async (pk) => (await db.getItem({ TableName: plain, Key: { pk: S(pk) }, ConsistentRead: true })).Item;
const fewerForms = differs('it knows fewer forms of statements');
const byKey = (a, b) => `${a.pk.S}/${a.sk.N}`.localeCompare(`${b.pk.S}/${b.sk.N}`);

// Every page of a statement.
async function statementPages(Statement, Parameters, more = {}) {
  const all = [];
  let NextToken;
  do {
    const page = await execute(Statement, Parameters, { ...more, NextToken });
    all.push(page);
    NextToken = page.NextToken;
  } while (NextToken);
  return { pages: all, items: all.flatMap((page) => page.Items) };
}

describe('SELECT', () => {
  const [a, b] = [unique('a'), unique('b')];
  const made = [];
  before(async () => {
    for (const pk of [a, b]) {
      for (let sk = 1; sk <= 6; sk += 1) {
        made.push({
          pk: S(pk), sk: N(sk), owner: S(`${a}-${sk % 2}`), at: N(sk), rank: N(10 - sk), note: S(`note ${sk}`), color: S(sk % 3 ? 'red' : 'blue'),
          doc: { M: { list: { L: [N(sk), { M: { deep: S('x') } }] }, kind: S('k') } }, tags: { SS: ['a', `t${sk}`] },
        });
      }
    }
    await fill(table, made);
  });

  // Each statement and the Query or Scan that says the same.
  const query = (condition, values, more = {}) => ({ operation: 'query', KeyConditionExpression: condition, ExpressionAttributeValues: values, ...more });
  const equal = {
    'a partition': () => [[`SELECT * FROM "${table}" WHERE pk = ?`, [S(a)]], query('pk = :p', { ':p': S(a) })],
    'one item': () => [[`SELECT * FROM "${table}" WHERE pk = '${a}' AND sk = 3`], query('pk = :p AND sk = :s', { ':p': S(a), ':s': N(3) })],
    'a range': () => [[`SELECT * FROM "${table}" WHERE pk = '${a}' AND sk BETWEEN 2 AND 4`], query('pk = :p AND sk BETWEEN :l AND :h', { ':p': S(a), ':l': N(2), ':h': N(4) })],
    'the value before the operator': () => [[`SELECT * FROM "${table}" WHERE '${a}' = pk AND 3 <= sk`], query('pk = :p AND sk >= :s', { ':p': S(a), ':s': N(3) })],
    'a filter': () => [
      [`SELECT * FROM "${table}" WHERE pk = '${a}' AND color = 'red' AND NOT note = 'note 4'`],
      query('pk = :p', { ':p': S(a), ':c': S('red'), ':n': S('note 4') }, { FilterExpression: 'color = :c AND NOT note = :n' }),
    ],
    'functions': () => [
      [`SELECT * FROM "${table}" WHERE pk = '${a}' AND begins_with(note, 'note') AND contains(tags, 't2') AND size(color) = 3 AND attribute_type(doc, 'M')`],
      query('pk = :p', { ':p': S(a), ':n': S('note'), ':t': S('t2'), ':3': N(3), ':m': S('M') }, { FilterExpression: 'begins_with(note, :n) AND contains(tags, :t) AND size(color) = :3 AND attribute_type(doc, :m)' }),
    ],
    'backwards': () => [[`SELECT * FROM "${table}" WHERE pk = '${a}' ORDER BY sk DESC`], query('pk = :p', { ':p': S(a) }, { ScanIndexForward: false })],
    'forwards': () => [[`SELECT * FROM "${table}" WHERE pk = '${a}' ORDER BY sk ASC`], query('pk = :p', { ':p': S(a) })],
    'a global index': () => [[`SELECT * FROM "${table}"."ByOwner" WHERE owner = '${a}-1' AND "at" > 2`], query('#o = :o AND #a > :n', { ':o': S(`${a}-1`), ':n': N(2) }, { IndexName: 'ByOwner', ExpressionAttributeNames: { '#o': 'owner', '#a': 'at' } })],
    'an index that keeps some': () => [[`SELECT * FROM "${table}"."Slim" WHERE owner = '${a}-1'`], query('#o = :o', { ':o': S(`${a}-1`) }, { IndexName: 'Slim', ExpressionAttributeNames: { '#o': 'owner' } })],
    'a local index': () => [[`SELECT * FROM "${table}"."ByRank" WHERE pk = '${a}' AND rank < 8`], query('pk = :p AND #r < :n', { ':p': S(a), ':n': N(8) }, { IndexName: 'ByRank', ExpressionAttributeNames: { '#r': 'rank' } })],
    'a local index, and columns it lacks': () => [
      [`SELECT pk, color FROM "${table}"."ByRank" WHERE pk = '${a}'`],
      query('pk = :p', { ':p': S(a) }, { IndexName: 'ByRank', ProjectionExpression: 'pk, color' }),
    ],
    'a scan': () => [[`SELECT * FROM "${table}" WHERE begins_with(pk, ?) AND sk > 3`, [S(a)]], { operation: 'scan', FilterExpression: 'begins_with(pk, :p) AND sk > :s', ExpressionAttributeValues: { ':p': S(a), ':s': N(3) } }],
    'a scan of an index': () => [[`SELECT * FROM "${table}"."ByOwner" WHERE color = 'blue'`], { operation: 'scan', IndexName: 'ByOwner', FilterExpression: 'color = :c', ExpressionAttributeValues: { ':c': S('blue') } }],
    'everything': () => [[`SELECT * FROM "${table}"`], { operation: 'scan' }],
  };
  const unknownToPeer = new Set(['the value before the operator', 'functions', 'backwards', 'a local index, and columns it lacks']);
  for (const [name, make] of Object.entries(equal)) {
    const options = unknownToPeer.has(name) ? fewerForms : {};
    test(`${name}: the same items at the same price as the operation it stands for`, options, async () => {
      const [[Statement, Parameters], { operation, ...request }] = make();
      const statement = await execute(Statement, Parameters, { ReturnConsumedCapacity: 'INDEXES' });
      const expected = await db[operation]({ TableName: table, ReturnConsumedCapacity: 'INDEXES', ...request });
      if (name !== 'a scan' && name !== 'everything') assert.ok(expected.Items.length > 0);
      assert.deepEqual(statement.Items, expected.Items);
      assert.deepEqual(statement.ConsumedCapacity, expected.ConsumedCapacity);
      assert.equal(statement.NextToken, undefined);
    });
  }

  test('IN and OR on the partition key are queries of each', fewerForms, async () => {
    const both = made.filter((item) => item.sk.N === '2').sort(byKey);
    for (const where of [`pk IN ['${a}', '${b}'] AND sk = 2`, `pk IN ('${b}', '${a}', '${a}') AND sk = 2`, `(pk = '${a}' OR pk = '${b}') AND sk = 2`, `pk = '${a}' AND sk = 2 OR pk = '${b}' AND sk = 2`]) {
      const answer = await execute(`SELECT * FROM "${table}" WHERE ${where}`, undefined, { ReturnConsumedCapacity: 'TOTAL' });
      assert.deepEqual([...answer.Items].sort(byKey), both, where);
      assert.equal(answer.ConsumedCapacity.CapacityUnits, 1, where);
    }
    assert.equal((await items(`SELECT * FROM "${table}" WHERE pk IN ?`, [{ L: [S(a), S(b)] }])).length, 12);
  });

  test('branches of one partition that do not overlap, and those that exclude sort keys', async () => {
    const sks = async (where) => (await items(`SELECT sk FROM "${table}" WHERE ${where}`)).map((item) => Number(item.sk.N)).sort();
    assert.deepEqual(await sks(`pk = '${a}' AND sk = 5 OR pk = '${a}' AND sk < 2`), [1, 5]);
    assert.deepEqual(await sks(`pk = '${a}' AND NOT sk = 1 OR pk = '${a}' AND sk = 2`), [2, 3, 4, 5, 6]);
    assert.deepEqual(await sks(`pk = '${a}' OR pk = '${a}' AND NOT sk = 1`), [1, 2, 3, 4, 5, 6]);
  });

  test('ORDER BY over several partitions', fewerForms, async () => {
    const order = async (terms) => (await items(`SELECT pk, sk FROM "${table}" WHERE pk IN ['${b}', '${a}'] AND sk < 3 ORDER BY ${terms}`)).map((item) => `${item.pk.S[0]}${item.sk.N}`);
    assert.deepEqual(await order('pk, sk'), ['a1', 'a2', 'b1', 'b2']);
    assert.deepEqual(await order('pk DESC, sk DESC'), ['b2', 'b1', 'a2', 'a1']);
    assert.deepEqual(await order('pk DESC, sk ASC'), ['b1', 'b2', 'a1', 'a2']);
  });

  test('columns are flat, and named by the end of their paths', async () => {
    assert.deepEqual(await items(`SELECT sk, doc.kind, doc.list[1].deep, doc.list[0], nothing FROM "${table}" WHERE pk = '${a}' AND sk = 4`), [
      { sk: N(4), kind: S('k'), deep: S('x'), 'list[0]': N(4) },
    ]);
    assert.deepEqual(await items(`SELECT nothing FROM "${table}" WHERE pk = '${a}' AND sk = 4`), [{}]);
    assert.deepEqual(await items(`SELECT "doc"."kind" FROM "${table}" WHERE "pk" = '${a}' AND "sk" = 4`), [{ kind: S('k') }]);
  });

  test('MISSING, NULL and types', fewerForms, async () => {
    const pk = unique('m');
    await fill(table, [{ pk: S(pk), sk: N(1), x: { NULL: true } }, { pk: S(pk), sk: N(2), x: S('s') }, { pk: S(pk), sk: N(3) }]);
    const sks = async (where) => (await items(`SELECT sk FROM "${table}" WHERE pk = '${pk}' AND ${where}`)).map((item) => Number(item.sk.N));
    assert.deepEqual(await sks('x IS MISSING'), [3]);
    assert.deepEqual(await sks('x IS NOT MISSING'), [1, 2]);
    assert.deepEqual(await sks('x IS NULL'), [1]);
    assert.deepEqual(await sks('x IS STRING'), [2]);
    assert.deepEqual(await sks('attribute_exists(x) = false'), [3]);
    assert.deepEqual(await sks('x = null'), [1]);
  });

  test('comments, keywords in either case, numbers in every notation, a semicolon', fewerForms, async () => {
    for (const text of [
      `select * from "${table}" -- all of it\nwhere pk = '${a}' /* and */ and sk = 3;`, `SELECT * FROM "${table}" WHERE pk = '${a}' AND sk = 3e0`,
      `SELECT * FROM "${table}" WHERE pk = '${a}' AND sk = +.3E1`, `SELECT * FROM "${table}" WHERE pk = '${a}' AND sk = 30e-1`,
    ]) assert.deepEqual((await items(text)).map((item) => item.sk), [N(3)], text);
  });

  test('Limit counts what is looked at, and NextToken goes on behind it', fewerForms, async () => {
    const statement = `SELECT pk, sk FROM "${table}" WHERE pk IN ['${a}', '${b}'] AND color = 'blue'`;
    const walked = await statementPages(statement, undefined, { Limit: 4 });
    assert.ok(walked.pages.length >= 3);
    assert.ok(walked.pages.every((page) => page.Items.length <= 4));
    assert.deepEqual([...walked.items].sort(byKey), made.filter((item) => item.color.S === 'blue').map(({ pk, sk }) => ({ pk, sk })).sort(byKey));

    const backwards = await statementPages(`SELECT sk FROM "${table}" WHERE pk = ? ORDER BY sk DESC`, [S(a)], { Limit: 1 });
    assert.deepEqual(backwards.items.map((item) => Number(item.sk.N)), [6, 5, 4, 3, 2, 1]);

    const index = await statementPages(`SELECT pk, sk FROM "${table}"."ByOwner" WHERE owner = '${a}-1'`, undefined, { Limit: 1 });
    assert.deepEqual(index.items, (await items(`SELECT pk, sk FROM "${table}"."ByOwner" WHERE owner = '${a}-1'`)));
  });

  test('pages as a Scan and as a Query at one megabyte', fewerForms, async () => {
    const [big, other] = [unique('big'), unique('big')];
    const large = (pk, count) => Array.from({ length: count }, (_, sk) => ({ pk: S(pk), sk: N(sk), text: S('x'.repeat(90_000)) }));
    await fill(table, [...large(big, 14), ...large(other, 5)]);
    const expected = await pages('query', { TableName: table, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S(big) } });
    const walked = await statementPages(`SELECT * FROM "${table}" WHERE pk = '${big}'`);
    assert.equal(walked.pages.length, 2);
    assert.deepEqual(walked.pages.map((page) => page.Items.length), expected.pages.map((page) => page.Items.length));
    const both = await statementPages(`SELECT pk, sk FROM "${table}" WHERE pk IN ['${big}', '${other}']`);
    assert.deepEqual(both.pages.map((page) => page.Items.length), [11, 8]);
    assert.equal(new Set(both.items.map((item) => `${item.pk.S} ${item.sk.N}`)).size, 19);
  });

  test('a consistent read costs twice as much', async () => {
    const units = async (more) => (await execute(`SELECT * FROM "${table}"."ByRank" WHERE pk = '${a}'`, undefined, { ReturnConsumedCapacity: 'TOTAL', ...more })).ConsumedCapacity.CapacityUnits;
    assert.equal(await units({ ConsistentRead: true }), 2 * (await units({})));
  });

  test('the document client', async () => {
    const { Items } = await doc.executeStatement({ Statement: `SELECT sk, tags FROM "${table}" WHERE pk = ? AND sk = ?`, Parameters: [a, 2] });
    assert.deepEqual(Items, [{ sk: 2, tags: new Set(['a', 't2']) }]);
  });
});

describe('INSERT', () => {
  test('puts what PutItem would, of every type', fewerForms, async () => {
    const pk = unique();
    const answer = await execute(
      `INSERT INTO "${plain}" VALUE {'pk': '${pk}', 's': 'it''s', 'n': -1.50e1, 't': true, 'nul': null, 'l': [1, 'x', [false]], 'm': {'k': {'d': ?}}, 'ss': <<'b', 'a'>>, 'ns': <<2, 1>>, 'b': ?}`,
      [N(7), { B: new Uint8Array([1, 2]) }],
    );
    assert.deepEqual(answer.Items, []);
    const item = {
      pk: S(pk), s: S("it's"), n: N(-15), t: { BOOL: true }, nul: { NULL: true }, l: { L: [N(1), S('x'), { L: [{ BOOL: false }] }] },
      m: { M: { k: { M: { d: N(7) } } } }, ss: { SS: ['a', 'b'] }, ns: { NS: ['1', '2'] }, b: { B: new Uint8Array([1, 2]) },
    };
    assert.deepEqual(await get(pk), item);
    const other = { ...item, pk: S(unique()) };
    await db.putItem({ TableName: plain, Item: other });
    assert.deepEqual(await get(other.pk.S), other);
  });

  test('is no upsert', async () => {
    const pk = unique();
    await execute(`INSERT INTO "${plain}" VALUE {'pk': ?, 'v': 1}`, [S(pk)]);
    await fails(execute(`INSERT INTO "${plain}" VALUE {'pk': ?, 'v': 2}`, [S(pk)], { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }), 'DuplicateItemException', 'Duplicate primary key exists in table');
    assert.deepEqual(await get(pk), { pk: S(pk), v: N(1) });
    await execute(`DELETE FROM "${plain}" WHERE pk = '${pk}'`);
    await execute(`INSERT INTO "${plain}" VALUE {'pk': '${pk}', 'v': 3}`);
    assert.deepEqual(await get(pk), { pk: S(pk), v: N(3) });
  });

  test('costs what PutItem costs', async () => {
    const item = { pk: S(unique()), sk: N(1), owner: S('o'), at: N(1), note: S('x'.repeat(1500)) };
    const put = await db.putItem({ TableName: table, Item: item, ReturnConsumedCapacity: 'INDEXES' });
    const insert = await execute(`INSERT INTO "${table}" VALUE {'pk': ?, 'sk': 1, 'owner': 'o', 'at': 1, 'note': ?}`, [S(unique()), item.note], { ReturnConsumedCapacity: 'INDEXES' });
    assert.deepEqual(insert.ConsumedCapacity, put.ConsumedCapacity);
  });

  test('the document client', async () => {
    const pk = unique();
    await doc.executeStatement({ Statement: `INSERT INTO "${plain}" VALUE {'pk': ?, 'm': ?}`, Parameters: [pk, { a: [1, 'x'], s: new Set([1]) }] });
    assert.deepEqual(await get(pk), { pk: S(pk), m: { M: { a: { L: [N(1), S('x')] }, s: { NS: ['1'] } } } });
  });
});

describe('UPDATE', () => {
  const first = { n: N(1), l: { L: [N(1)] }, ss: { SS: ['a', 'b'] }, m: { M: { x: N(1), y: N(2) } }, s: S('old') };
  const seed = async () => {
    const pk = unique();
    await db.putItem({ TableName: plain, Item: { pk: S(pk), ...first } });
    return pk;
  };

  // Each change and the UpdateExpression that says the same.
  for (const [changes, UpdateExpression, values] of [
    ['SET n = n + 5', 'SET n = n + :a', { ':a': N(5) }],
    ['SET n = n - 5 SET s = ?', 'SET n = n - :a, s = :b', { ':a': N(5), ':b': S('new') }, [S('new')]],
    ["SET l = list_append(l, [2, 'x'])", 'SET l = list_append(l, :a)', { ':a': { L: [N(2), S('x')] } }],
    ['SET l = list_append([0], l)', 'SET l = list_append(:a, l)', { ':a': { L: [N(0)] } }],
    ["SET ss = set_add(ss, <<'c', 'a'>>)", 'ADD ss :a', { ':a': { SS: ['c', 'a'] } }],
    ["SET ss = set_delete(ss, <<'a'>>)", 'DELETE ss :a', { ':a': { SS: ['a'] } }],
    ["SET ss = SET_DELETE(ss, <<'a', 'b'>>)", 'DELETE ss :a', { ':a': { SS: ['a', 'b'] } }],
    ['SET fresh = set_add(fresh, <<1>>)', 'ADD fresh :a', { ':a': { NS: ['1'] } }],
    ['SET m.x = m.y REMOVE l[0]', 'SET m.x = m.y REMOVE l[0]'],
    ['SET m.z = {\'k\': [1]} REMOVE s REMOVE n', 'SET m.z = :a REMOVE s, n', { ':a': { M: { k: { L: [N(1)] } } } }],
    ["SET a = 1, b = 'x'", 'SET a = :a, b = :b', { ':a': N(1), ':b': S('x') }],
  ]) {
    test(`${changes}: as UpdateItem with ${UpdateExpression}`, fewerForms, async () => {
      const [statement, update] = [await seed(), await seed()];
      const parameters = changes.includes('?') ? [S('new')] : undefined;
      const answer = await execute(`UPDATE "${plain}" ${changes} WHERE pk = '${statement}' RETURNING MODIFIED NEW *`, parameters);
      const { Attributes } = await db.updateItem({ TableName: plain, Key: { pk: S(update) }, UpdateExpression, ExpressionAttributeValues: values, ReturnValues: 'UPDATED_NEW' });
      assert.deepEqual({ ...(await get(statement)), pk: 0 }, { ...(await get(update)), pk: 0 });
      assert.deepEqual(answer.Items, Attributes ? [Attributes] : []);
    });
  }

  test('what it returns', fewerForms, async () => {
    const run = async (returning) => {
      const pk = await seed();
      const { Items } = await execute(`UPDATE "${plain}" SET s = 'new' SET q = 1 WHERE pk = '${pk}' ${returning}`);
      return Items.map(({ pk: key, ...rest }) => (key ? { pk: key.S === pk, ...rest } : rest));
    };
    assert.deepEqual(await run(''), []);
    assert.deepEqual(await run('RETURNING ALL OLD *'), [{ pk: true, ...first }]);
    assert.deepEqual(await run('RETURNING ALL NEW *'), [{ pk: true, ...first, s: S('new'), q: N(1) }]);
    assert.deepEqual(await run('RETURNING MODIFIED OLD *'), [{ s: S('old') }]);
    assert.deepEqual(await run('RETURNING MODIFIED NEW *'), [{ s: S('new'), q: N(1) }]);
  });

  test('what else the clause asks is a condition, and a missing item fails it', fewerForms, async () => {
    const pk = await seed();
    await execute(`UPDATE "${plain}" SET n = 2 WHERE pk = '${pk}' AND n = 1 AND attribute_not_exists(q)`);
    await conditionFailed(execute(`UPDATE "${plain}" SET n = 3 WHERE pk = '${pk}' AND n = 1`));
    assert.deepEqual((await get(pk)).n, N(2));
    const failed = await conditionFailed(execute(`UPDATE "${plain}" SET n = 3 WHERE pk = ? AND n = 1`, [S(pk)], { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
    assert.deepEqual(failed.Item, { pk: S(pk), ...first, n: N(2) });
    const absent = unique();
    await conditionFailed(execute(`UPDATE "${plain}" SET n = 1 WHERE pk = '${absent}'`));
    await conditionFailed(execute(`UPDATE "${plain}" SET n = 1 WHERE pk = '${absent}' AND attribute_not_exists(pk)`));
    await conditionFailed(execute(`UPDATE "${plain}" SET ss = set_add(ss, <<'x'>>) WHERE pk = '${absent}'`));
    assert.equal(await get(absent), undefined);
  });

  test('FROM first', fewerForms, async () => {
    const pk = await seed();
    const { Items } = await execute(`from "${plain}" where pk = ? and n = 1 set s = ? remove l returning modified new *`, [S(pk), S('new')]);
    assert.deepEqual(Items, [{ s: S('new') }]);
    assert.equal((await get(pk)).l, undefined);
    await conditionFailed(execute(`FROM "${plain}" WHERE pk = '${pk}' AND n = 7 SET s = 'x'`));
  });

  test('the document client', async () => {
    const pk = await seed();
    const { Items } = await doc.executeStatement({ Statement: `UPDATE "${plain}" SET s = ? WHERE pk = ? RETURNING ALL NEW *`, Parameters: ['doc', pk] });
    assert.equal(Items[0].s, 'doc');
  });
});

describe('DELETE', () => {
  test('takes the item away, and shows it where that is asked', fewerForms, async () => {
    const pk = unique();
    await db.putItem({ TableName: plain, Item: { pk: S(pk), v: N(1) } });
    await conditionFailed(execute(`DELETE FROM "${plain}" WHERE pk = '${pk}' AND v = 2`));
    const failed = await conditionFailed(execute(`DELETE FROM "${plain}" WHERE pk = '${pk}' AND v = 2`, undefined, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
    assert.deepEqual(failed.Item, { pk: S(pk), v: N(1) });
    assert.deepEqual((await execute(`DELETE FROM "${plain}" WHERE pk = '${pk}' AND v = 1 RETURNING ALL OLD *`)).Items, [{ pk: S(pk), v: N(1) }]);
    assert.equal(await get(pk), undefined);
  });

  test('of what is not there is no failure, whatever else is asked', fewerForms, async () => {
    const pk = unique();
    assert.deepEqual((await execute(`DELETE FROM "${plain}" WHERE pk = '${pk}'`)).Items, []);
    assert.deepEqual((await execute(`DELETE FROM "${plain}" WHERE pk = '${pk}' AND v = 1`)).Items, []);
    assert.deepEqual((await execute(`DELETE FROM "${plain}" WHERE pk = '${pk}' RETURNING ALL OLD *`)).Items, []);
  });

  test('costs what DeleteItem costs', async () => {
    const seed = async () => {
      const Key = { pk: S(unique()), sk: N(1) };
      await db.putItem({ TableName: table, Item: { ...Key, owner: S('o'), at: N(1), note: S('x'.repeat(3000)) } });
      return Key;
    };
    const [a, b] = [await seed(), await seed()];
    const removed = await db.deleteItem({ TableName: table, Key: a, ReturnConsumedCapacity: 'INDEXES' });
    const statement = await execute(`DELETE FROM "${table}" WHERE pk = ? AND sk = 1`, [b.pk], { ReturnConsumedCapacity: 'INDEXES' });
    assert.deepEqual(statement.ConsumedCapacity, removed.ConsumedCapacity);
  });
});

test('an expired item counts as none', ours, async () => {
  const pk = unique();
  const short = await createTable('pk:S');
  await db.updateTimeToLive({ TableName: short, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });
  await db.putItem({ TableName: short, Item: { pk: S(pk), ttl: N(Math.floor(Date.now() / 1000) - 10) } });
  assert.deepEqual(await items(`SELECT * FROM "${short}" WHERE pk = '${pk}'`), []);
  await conditionFailed(execute(`UPDATE "${short}" SET v = 1 WHERE pk = '${pk}'`));
  await execute(`INSERT INTO "${short}" VALUE {'pk': '${pk}'}`);
  assert.deepEqual(await items(`SELECT * FROM "${short}" WHERE pk = '${pk}'`), [{ pk: S(pk) }]);
});

test('NextToken belongs to its statement and parameters', async () => {
  const statement = `SELECT * FROM "${table}" WHERE pk = ?`;
  const pk = unique();
  await fill(table, [1, 2, 3].map((sk) => ({ pk: S(pk), sk: N(sk) })));
  const { NextToken } = await execute(statement, [S(pk)], { Limit: 1 });
  assert.equal((await items(statement, [S(pk)], { NextToken, Limit: 2, ConsistentRead: true })).length, 2);
  await invalid(execute(statement, [S('other')], { NextToken }), 'NextToken does not match request');
  await invalid(execute(`${statement} AND sk > 1`, [S(pk)], { NextToken }), 'NextToken does not match request');
  await invalid(execute(statement, [S(pk)], { NextToken: 'nonsense' }), 'Invalid NextToken');
});
