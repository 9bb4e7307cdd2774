CREATE TABLE asked (
  intent integer not null,
  place integer not null,
  call integer not null,
  live integer not null,
  primary key (intent, place)
) without rowid;
INSERT INTO "asked" VALUES(1,0,1,0);
CREATE TABLE call (id integer primary key, call_key blob not null unique);
INSERT INTO "call" VALUES(1,X'5FECEB66FFC86F38D952786C6D696C79C2DBC239DD4E91B46729D73A27FB57E9');
CREATE TABLE charge (
  intent integer primary key,
  input_tokens integer,
  cached_tokens integer,
  output_tokens integer,
  reasoning_tokens integer,
  usd real,
  basis text not null,
  price_date text,
  tokens integer not null,
  cache_write_tokens integer,
  input_audio_tokens integer,
  output_audio_tokens integer,
  usage_reported text
);
INSERT INTO "charge" VALUES(1,42,NULL,0,NULL,0.01,'reported','2026-11-01',42,NULL,NULL,NULL,NULL);
CREATE TABLE control (id integer primary key, model text, reason text, detail text not null, at_ms integer not null);
CREATE TABLE fact (name text primary key, json text not null) without rowid;
CREATE TABLE failure_reason (reason text primary key, calls integer not null) without rowid;
CREATE TABLE intent (
  id integer primary key,
  page integer not null,
  cell integer not null,
  step text not null,
  loop integer not null,
  ask integer not null,
  sample integer not null,
  unit integer not null,
  epoch integer not null,
  attempt integer not null,
  answering_model text not null,
  parameters_sent text not null,
  max_nano_usd integer not null,
  max_tokens integer not null,
  estimated_usd real,
  estimated_tokens integer not null,
  free integer not null,
  state text not null default 'open',
  origin text,
  returned_model text,
  fingerprint text,
  failure text,
  started_at_ms integer not null,
  latency_ms real
);
INSERT INTO "intent" VALUES(1,1,0,'generate',1,0,0,1,1,1,'m','{"temperature":0}',50000000,500,0.02,200,0,'answered',NULL,'m-2026','fp',NULL,1795595870976,12.0);
CREATE TABLE lane (
  id integer primary key,
  study text not null,
  model text not null,
  pages integer not null default 0,
  sealed integer not null default 0,
  failed integer not null default 0,
  cells integer not null default 0,
  cells_done integer not null default 0,
  answered integer not null default 0,
  unique (study, model)
);
INSERT INTO "lane" VALUES(1,'loops','m',1,0,0,1000,0,1);
CREATE TABLE meta (name text primary key, value text not null) without rowid;
INSERT INTO "meta" VALUES('format','3');
CREATE TABLE page (
  id integer primary key,
  page text not null unique,
  lane integer not null,
  cells integer not null,
  revision integer not null,
  state text not null default 'open',
  cells_done integer not null default 0,
  failure text
);
INSERT INTO "page" VALUES(1,'loops/m-1a2b3c/r1p0',1,1000,1,'open',0,NULL);
CREATE TABLE part (
  path text primary key,
  table_name text not null,
  page text not null,
  row_count integer not null,
  bytes integer not null,
  sha256 text not null,
  schema_version integer not null,
  revision integer not null
) without rowid;
CREATE TABLE reference (id integer primary key, reference_key blob not null unique, body blob not null,
  sha256 blob not null);
CREATE TABLE reply (call integer primary key, intent integer not null, body blob not null, sha256 blob not null);
INSERT INTO "reply" VALUES(1,1,X'7B2274657874223A226B657074222C2266696E697368526561736F6E223A2273746F70222C2272657475726E65644D6F64656C223A226D2D32303236222C2266696E6765727072696E74223A226670222C22696E707574546F6B656E73223A33302C22636163686564546F6B656E73223A6E756C6C2C226F7574707574546F6B656E73223A31322C22726561736F6E696E67546F6B656E73223A6E756C6C2C226C6F6770726F6273223A5B2D302E32352C2D312E355D2C226261636B656E64223A22736F6D657768657265227D',X'B990EBB4B19E64AE536F0CB19A2A54FE61C89646BF01AF512C94DE916819A191');
CREATE TABLE run (
  id integer primary key check (id = 1),
  epoch integer not null default 0,
  owner text,
  budget_nano_usd integer,
  budget_tokens integer,
  reported_nano_usd integer not null default 0,
  estimated_nano_usd integer not null default 0,
  unknown_usd_calls integer not null default 0,
  spent_tokens integer not null default 0,
  reserved_nano_usd integer not null default 0,
  reserved_tokens integer not null default 0,
  answered integer not null default 0,
  failed integer not null default 0,
  lost integer not null default 0,
  live integer not null default 0,
  verdicts integer not null default 0,
  disbelieved integer not null default 0
);
INSERT INTO "run" VALUES(1,1,'format 3',NULL,NULL,10000000,0,0,42,0,0,1,0,0,0,1,0);
CREATE TABLE sample (
  page integer not null,
  cell integer not null,
  step text not null,
  loop integer not null,
  ask integer not null,
  sample integer not null,
  call integer not null,
  primary key (page, cell, step, loop, ask, sample)
) without rowid;
INSERT INTO "sample" VALUES(1,0,'generate',1,0,0,1);
CREATE TABLE unit (id integer primary key, unit text not null unique, epoch integer not null, attempt integer not null);
INSERT INTO "unit" VALUES(1,'loops/m-1a2b3c/r1p0/generate',1,1);
CREATE TABLE unsent_reason (reason text primary key, attempts integer not null) without rowid;
CREATE TABLE verdict (id integer primary key, execution_key blob not null unique, body blob not null,
  sha256 blob not null);
INSERT INTO "verdict" VALUES(1,X'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',X'7B22657865637574696F6E4B6579223A2261616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161222C2270726F6772616D536861323536223A2262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262626262222C227375697465223A2262617365222C226F7574636F6D65223A2277726F6E675F6F7574707574222C2266697273744661696C696E6743617365223A322C2264657461696C223A22657870656374656420312C20676F742032222C2277616C6C4D73223A312E352C226370754D73223A6E756C6C2C226D656D6F72794279746573223A302C2274696572223A22656D626564646564222C226C616E65223A2269736F6C61746564222C22656E67696E65223A2270796F64696465222C22696D616765446967657374223A2263636363636363636363636363636363636363636363636363636363636363636363636363636363636363636363636363636363636363636363636363636363222C226C696D697473223A227B7D227D',X'AB174589557C0AE438DC0548D354F5125F27A56FF0ED282922D8B98D193640EA');
CREATE INDEX failed_page on page (id) where state = 'failed';
CREATE INDEX open_intent on intent (unit) where state = 'open';
CREATE INDEX intent_of_page on intent (page);
CREATE UNIQUE INDEX live_call on asked (call) where live = 1;
CREATE INDEX control_of_model on control (model);
