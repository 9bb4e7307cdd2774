BEGIN TRANSACTION;
CREATE TABLE call (id integer primary key, call_key blob not null unique);
INSERT INTO "call" VALUES(1,X'5FECEB66FFC86F38D952786C6D696C79C2DBC239DD4E91B46729D73A27FB57E9');
INSERT INTO "call" VALUES(2,X'6B86B273FF34FCE19D6B804EFF5A3F5747ADA4EAA22F1D49C01E52DDB7875B4B');
CREATE TABLE charge (
  intent integer primary key,
  input_tokens integer,
  cached_tokens integer,
  output_tokens integer,
  reasoning_tokens integer,
  usd real,
  basis text not null,
  price_date text,
  tokens integer not null
);
INSERT INTO "charge" VALUES(1,0,NULL,0,NULL,0.0,'reported','2026-11-01',0);
INSERT INTO "charge" VALUES(2,42,NULL,0,NULL,0.01,'reported','2026-11-01',42);
CREATE TABLE control (id integer primary key, model text, reason text, detail text not null, at_ms integer not null);
CREATE TABLE fact (name text primary key, json text not null) without rowid;
CREATE TABLE failure_reason (reason text primary key, calls integer not null) without rowid;
INSERT INTO "failure_reason" VALUES('HTTP 500',1);
CREATE TABLE intent (
  id integer primary key,
  call integer not null,
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
INSERT INTO "intent" VALUES(1,1,1,0,'generate',1,0,0,1,1,1,'m','{"temperature":0}',50000000,500,0.02,200,0,'failed',NULL,NULL,NULL,'HTTP 500: oops',1795225537792,3.0);
INSERT INTO "intent" VALUES(2,1,1,0,'generate',1,0,0,1,1,1,'m','{"temperature":0}',50000000,500,0.02,200,0,'answered',NULL,'m-2026','fp',NULL,1795225537799,1.0);
INSERT INTO "intent" VALUES(3,2,1,1,'generate',1,0,0,1,1,1,'m','{"temperature":0}',50000000,500,0.02,200,0,'open',NULL,NULL,NULL,NULL,1795225537801,NULL);
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
INSERT INTO "lane" VALUES(1,'loops','m',1,0,0,4,0,1);
CREATE TABLE meta (name text primary key, value text not null) without rowid;
INSERT INTO "meta" VALUES('format','1');
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
INSERT INTO "page" VALUES(1,'loops/m-1a2b3c/r1p0',1,4,1,'open',0,NULL);
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
CREATE TABLE reference (id integer primary key, reference_key blob not null unique, body blob not null, sha256 blob not null);
CREATE TABLE reply (call integer primary key, intent integer not null, body blob not null, sha256 blob not null);
INSERT INTO "reply" VALUES(1,2,X'7B2274657874223A226B657074222C2266696E697368526561736F6E223A2273746F70222C2272657475726E65644D6F64656C223A226D2D32303236222C2266696E6765727072696E74223A226670222C22696E707574546F6B656E73223A33302C22636163686564546F6B656E73223A6E756C6C2C226F7574707574546F6B656E73223A31322C22726561736F6E696E67546F6B656E73223A6E756C6C2C226C6F6770726F6273223A5B2D302E32352C2D312E355D7D',X'3EB51E6C529521EB074672749473E6DB48C4D63BA66FB81F7429C9FF619BC51B');
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
  verdicts integer not null default 0
);
INSERT INTO "run" VALUES(1,1,'an older program',NULL,NULL,10000000,0,0,42,50000000,500,1,1,0,1,0);
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
CREATE TABLE verdict (id integer primary key, execution_key blob not null unique, body blob not null, sha256 blob not null);
CREATE INDEX failed_page on page (id) where state = 'failed';
CREATE UNIQUE INDEX live_intent on intent (call) where state = 'open';
CREATE INDEX open_intent on intent (unit) where state = 'open';
CREATE INDEX intent_of_page on intent (page);
CREATE INDEX control_of_model on control (model);
COMMIT;
