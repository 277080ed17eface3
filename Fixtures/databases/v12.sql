-- A database of schema version 12, written by tools/make-database-fixtures. It never changes.
PRAGMA application_id = 1413563208;
BEGIN TRANSACTION;
CREATE TABLE artifact (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  beat INTEGER NOT NULL,
  class TEXT NOT NULL CHECK (class IN ('ectopic', 'missed', 'extra', 'longShort')),
  replacements INTEGER NOT NULL CHECK (replacements >= 0),
  milliseconds REAL NOT NULL CHECK (milliseconds >= 0),
  PRIMARY KEY (session, beat),
  FOREIGN KEY (session, beat) REFERENCES beat (session, sequence) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO "artifact" VALUES(1,2,'extra',1,812.5);
INSERT INTO "artifact" VALUES(1,3,'missed',2,3.33333333333333314395e+02);
CREATE TABLE baseline (
  key INTEGER PRIMARY KEY,
  person INTEGER REFERENCES person (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('sdnn', 'rmssd')),
  resting_heart_rate REAL NOT NULL CHECK (resting_heart_rate > 0),
  baseline_hrv REAL NOT NULL CHECK (baseline_hrv > 0),
  sample_count INTEGER NOT NULL CHECK (sample_count >= 0),
  is_personal INTEGER NOT NULL CHECK (is_personal IN (0, 1)),
  hourly TEXT NOT NULL CHECK (hourly GLOB '{*}'),
  updated_us INTEGER NOT NULL
) STRICT;
INSERT INTO "baseline" VALUES(1,1,'sdnn',54.5,61.25,42,1,'{"0":51.5,"23":60}',1767225600000000);
CREATE TABLE beat (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  sequence INTEGER NOT NULL CHECK (sequence >= 0),
  time_us INTEGER NOT NULL,
  ticks INTEGER NOT NULL CHECK (ticks BETWEEN 0 AND 65535),
  ledger_sequence INTEGER NOT NULL,
  marks INTEGER NOT NULL CHECK (marks BETWEEN 0 AND 255),
  PRIMARY KEY (session, sequence),
  FOREIGN KEY (session, ledger_sequence) REFERENCES ledger (session, sequence) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO "beat" VALUES(1,0,4999500,1024,0,0);
INSERT INTO "beat" VALUES(1,1,5999500,1024,1,1);
INSERT INTO "beat" VALUES(1,2,6999500,1024,2,2);
INSERT INTO "beat" VALUES(1,3,7999500,1024,3,0);
INSERT INTO "beat" VALUES(1,4,8999500,1024,4,1);
INSERT INTO "beat" VALUES(1,5,9999500,1024,5,2);
INSERT INTO "beat" VALUES(1,6,11999500,1024,7,0);
INSERT INTO "beat" VALUES(1,7,12999500,1024,8,1);
INSERT INTO "beat" VALUES(1,8,14999500,1024,10,2);
INSERT INTO "beat" VALUES(1,9,15999500,1024,11,0);
INSERT INTO "beat" VALUES(2,0,4999500,1024,0,0);
INSERT INTO "beat" VALUES(2,1,5999500,1024,1,1);
INSERT INTO "beat" VALUES(2,2,6999500,1024,2,2);
INSERT INTO "beat" VALUES(2,3,7999500,1024,3,0);
INSERT INTO "beat" VALUES(2,4,8999500,1024,4,1);
INSERT INTO "beat" VALUES(2,5,9999500,1024,5,2);
INSERT INTO "beat" VALUES(2,6,11999500,1024,7,0);
INSERT INTO "beat" VALUES(2,7,12999500,1024,8,1);
INSERT INTO "beat" VALUES(2,8,14999500,1024,10,2);
INSERT INTO "beat" VALUES(2,9,15999500,1024,11,0);
CREATE TABLE gap (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  sequence INTEGER NOT NULL CHECK (sequence >= 0),
  start_us INTEGER NOT NULL,
  end_us INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('linkDown', 'lost', 'overlap')),
  ledger_sequence INTEGER NOT NULL,
  PRIMARY KEY (session, sequence),
  FOREIGN KEY (session, ledger_sequence) REFERENCES ledger (session, sequence) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO "gap" VALUES(1,0,10000000,11000000,'linkDown',7);
INSERT INTO "gap" VALUES(2,0,10000000,11000000,'linkDown',7);
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('v1 sessions, ledger, derived values, stress');
INSERT INTO "grdb_migrations" VALUES('v2 known straps, labels');
INSERT INTO "grdb_migrations" VALUES('v3 artifacts');
INSERT INTO "grdb_migrations" VALUES('v4 wearers, roll-ups');
INSERT INTO "grdb_migrations" VALUES('v5 imports');
INSERT INTO "grdb_migrations" VALUES('v6 ledgers alone');
INSERT INTO "grdb_migrations" VALUES('v7 devices');
INSERT INTO "grdb_migrations" VALUES('v8 notes, markers, readings');
INSERT INTO "grdb_migrations" VALUES('v9 sensors, nights');
INSERT INTO "grdb_migrations" VALUES('v10 pulse intervals');
INSERT INTO "grdb_migrations" VALUES('v11 synchronisation');
INSERT INTO "grdb_migrations" VALUES('v12 findings of synchronisation');
CREATE TABLE hrv_window (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  length INTEGER NOT NULL CHECK (length > 0),
  end_us INTEGER NOT NULL,
  coverage REAL NOT NULL CHECK (coverage >= 0),
  artifact_share REAL NOT NULL CHECK (artifact_share >= 0),
  count INTEGER NOT NULL CHECK (count >= 0),
  pair_count INTEGER NOT NULL CHECK (pair_count >= 0),
  duration REAL NOT NULL CHECK (duration >= 0),
  mean_nn REAL,
  mean_heart_rate REAL,
  sdnn REAL,
  rmssd REAL,
  ln_rmssd REAL,
  sdsd REAL,
  pnn50 REAL,
  pnn20 REAL,
  sd1 REAL,
  sd2 REAL,
  PRIMARY KEY (session, length, end_us)
) STRICT, WITHOUT ROWID;
INSERT INTO "hrv_window" VALUES(1,60,65000000,0.97,3.33333333333333314829e-01,61,60,59999.0234375,1000.5,61.0,50.25,41.125,3.7,NULL,12.5,37.5,30.0,60.0);
INSERT INTO "hrv_window" VALUES(1,300,3545000000,0.97,3.33333333333333314829e-01,61,60,59999.0234375,1000.5,119.0,50.25,41.125,3.7,NULL,12.5,37.5,30.0,60.0);
INSERT INTO "hrv_window" VALUES(1,300,3605000000,0.97,3.33333333333333314829e-01,61,60,59999.0234375,1000.5,120.0,50.25,41.125,3.7,NULL,12.5,37.5,30.0,60.0);
INSERT INTO "hrv_window" VALUES(1,300,3665000000,0.97,3.33333333333333314829e-01,61,60,59999.0234375,1000.5,121.0,50.25,41.125,3.7,NULL,12.5,37.5,30.0,60.0);
INSERT INTO "hrv_window" VALUES(2,60,65000000,0.97,3.33333333333333314829e-01,61,60,59999.0234375,1000.5,61.0,50.25,41.125,3.7,NULL,12.5,37.5,30.0,60.0);
INSERT INTO "hrv_window" VALUES(2,300,3545000000,0.97,3.33333333333333314829e-01,61,60,59999.0234375,1000.5,119.0,50.25,41.125,3.7,NULL,12.5,37.5,30.0,60.0);
INSERT INTO "hrv_window" VALUES(2,300,3605000000,0.97,3.33333333333333314829e-01,61,60,59999.0234375,1000.5,120.0,50.25,41.125,3.7,NULL,12.5,37.5,30.0,60.0);
INSERT INTO "hrv_window" VALUES(2,300,3665000000,0.97,3.33333333333333314829e-01,61,60,59999.0234375,1000.5,121.0,50.25,41.125,3.7,NULL,12.5,37.5,30.0,60.0);
CREATE TABLE known_strap (
  strap INTEGER PRIMARY KEY REFERENCES strap (id),
  -- What the person calls it, told apart from all others.
  name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (name <> ''),
  -- What it calls itself; for straps whose random address changes.
  advertised_name TEXT,
  is_bonded INTEGER NOT NULL CHECK (is_bonded IN (0, 1)),
  added_us INTEGER NOT NULL
, person INTEGER REFERENCES person (id) ON DELETE SET NULL, label TEXT CHECK (label <> '')) STRICT;
INSERT INTO "known_strap" VALUES(1,'blue','HRM 1234',1,1767225600000000,1,'day');
CREATE TABLE ledger (
  session INTEGER NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence >= 0),
  link INTEGER NOT NULL,
  kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2)),
  monotonic_us INTEGER NOT NULL,
  wall_us INTEGER NOT NULL,
  reason INTEGER CHECK (reason BETWEEN 0 AND 255),
  value BLOB,
  PRIMARY KEY (session, sequence),
  FOREIGN KEY (session, link) REFERENCES link (session, number) ON DELETE CASCADE,
  CHECK ((kind <> 1) = (value IS NOT NULL) AND (kind = 1) = (reason IS NOT NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO "ledger" VALUES(1,0,0,0,5000000,1767225600000000,NULL,X'103D0004');
INSERT INTO "ledger" VALUES(1,1,0,0,6000000,1767225601000000,NULL,X'103D0104');
INSERT INTO "ledger" VALUES(1,2,0,0,7000000,1767225602000000,NULL,X'103D0204');
INSERT INTO "ledger" VALUES(1,3,0,0,8000000,1767225603000000,NULL,X'103D0304');
INSERT INTO "ledger" VALUES(1,4,0,0,9000000,1767225604000000,NULL,X'103D0404');
INSERT INTO "ledger" VALUES(1,5,0,0,10000000,1767225605000000,NULL,X'103D0504');
INSERT INTO "ledger" VALUES(1,6,0,1,11000000,1767225606000000,8,NULL);
INSERT INTO "ledger" VALUES(1,7,1,0,12000000,1767225607000000,NULL,X'103D0704');
INSERT INTO "ledger" VALUES(1,8,1,0,13000000,1767225608000000,NULL,X'103D0804');
INSERT INTO "ledger" VALUES(1,9,1,0,14000000,1767225609000000,NULL,X'');
INSERT INTO "ledger" VALUES(1,10,1,0,15000000,1767225610000000,NULL,X'103D0A04');
INSERT INTO "ledger" VALUES(1,11,1,0,16000000,1767225611000000,NULL,X'103D0B04');
INSERT INTO "ledger" VALUES(2,0,0,0,5000000,1767333600000000,NULL,X'103E0004');
INSERT INTO "ledger" VALUES(2,1,0,0,6000000,1767333601000000,NULL,X'103E0104');
INSERT INTO "ledger" VALUES(2,2,0,0,7000000,1767333602000000,NULL,X'103E0204');
INSERT INTO "ledger" VALUES(2,3,0,0,8000000,1767333603000000,NULL,X'103E0304');
INSERT INTO "ledger" VALUES(2,4,0,0,9000000,1767333604000000,NULL,X'103E0404');
INSERT INTO "ledger" VALUES(2,5,0,0,10000000,1767333605000000,NULL,X'103E0504');
INSERT INTO "ledger" VALUES(2,6,0,1,11000000,1767333606000000,8,NULL);
INSERT INTO "ledger" VALUES(2,7,1,0,12000000,1767333607000000,NULL,X'103E0704');
INSERT INTO "ledger" VALUES(2,8,1,0,13000000,1767333608000000,NULL,X'103E0804');
INSERT INTO "ledger" VALUES(2,9,1,0,14000000,1767333609000000,NULL,X'');
INSERT INTO "ledger" VALUES(2,10,1,0,15000000,1767333610000000,NULL,X'103E0A04');
INSERT INTO "ledger" VALUES(2,11,1,0,16000000,1767333611000000,NULL,X'103E0B04');
INSERT INTO "ledger" VALUES(2,12,1,2,17000000,1767333612000000,NULL,X'03000000000000000000');
CREATE TABLE link (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 0),
  boot_id TEXT,
  handle INTEGER NOT NULL CHECK (handle BETWEEN 0 AND 65535),
  handle_source TEXT NOT NULL CHECK (handle_source IN ('discovered', 'inherited', 'inferred', 'given')),
  PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "link" VALUES(1,0,'boot',18,'discovered');
INSERT INTO "link" VALUES(1,1,NULL,34,'given');
INSERT INTO "link" VALUES(2,0,'boot',18,'discovered');
INSERT INTO "link" VALUES(2,1,NULL,34,'given');
CREATE TABLE marker (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36 AND id NOT GLOB '*[^0-9a-f-]*'),
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  time_us INTEGER NOT NULL,
  text TEXT NOT NULL CHECK (text <> '')
) STRICT;
INSERT INTO "marker" VALUES(1,'00000001-2222-4333-8444-555566667777',1,9000000,'coffee');
CREATE TABLE movement (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  time_us INTEGER NOT NULL,
  intensity REAL NOT NULL CHECK (intensity >= 0),
  coverage REAL NOT NULL CHECK (coverage BETWEEN 0 AND 1),
  PRIMARY KEY (session, time_us)
) STRICT, WITHOUT ROWID;
INSERT INTO "movement" VALUES(1,5000000,1.5,1.0);
INSERT INTO "movement" VALUES(1,35000000,2.5,0.75);
CREATE TABLE owed (
  session INTEGER PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('sdnn', 'rmssd'))
) STRICT;
INSERT INTO "owed" VALUES(2,'rmssd');
CREATE TABLE person (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  name TEXT NOT NULL UNIQUE CHECK (name <> '')
) STRICT;
INSERT INTO "person" VALUES(1,'Anna');
CREATE TABLE reading (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36 AND id NOT GLOB '*[^0-9a-f-]*'),
  kind TEXT NOT NULL CHECK (kind IN ('morning', 'spot')),
  person INTEGER REFERENCES person (id) ON DELETE CASCADE,
  -- The history of a person outlives the recordings that it came from.
  session INTEGER REFERENCES session (key) ON DELETE SET NULL,
  start_us INTEGER NOT NULL,
  duration_us INTEGER NOT NULL CHECK (duration_us > 0),
  coverage REAL NOT NULL CHECK (coverage >= 0),
  artifact_share REAL NOT NULL CHECK (artifact_share >= 0),
  count INTEGER NOT NULL CHECK (count >= 0),
  mean_heart_rate REAL,
  sdnn REAL,
  rmssd REAL
) STRICT;
INSERT INTO "reading" VALUES(1,'00000001-3333-4444-8555-666677778888','morning',1,1,1767225660000000,60000000,0.97,0.125,61,60.5,50.25,41.125);
INSERT INTO "reading" VALUES(2,'00000002-3333-4444-8555-666677778888','spot',NULL,NULL,1767225720000000,60000000,0.97,0.125,61,60.5,50.25,NULL);
CREATE TABLE rollup (
  person INTEGER NOT NULL,
  unit TEXT NOT NULL CHECK (unit IN ('hour', 'day')),
  start_us INTEGER NOT NULL,
  minutes REAL NOT NULL CHECK (minutes > 0),
  mean_heart_rate REAL,
  lowest_heart_rate REAL,
  sdnn REAL,
  rmssd REAL,
  stress REAL,
  highest_stress REAL,
  PRIMARY KEY (person, unit, start_us)
) STRICT, WITHOUT ROWID;
INSERT INTO "rollup" VALUES(1,'day',1767139200000000,480.0,61.5,48.0,55.5,42.25,31.5,70.0);
CREATE TABLE rollup_pending (
  person INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  PRIMARY KEY (person, hour)
) STRICT, WITHOUT ROWID;
INSERT INTO "rollup_pending" VALUES(0,490926);
INSERT INTO "rollup_pending" VALUES(0,490927);
INSERT INTO "rollup_pending" VALUES(1,490896);
INSERT INTO "rollup_pending" VALUES(1,490897);
CREATE TABLE sensor_entry (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  sequence INTEGER NOT NULL CHECK (sequence >= 0),
  link INTEGER NOT NULL,
  kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2)),
  monotonic_us INTEGER NOT NULL,
  wall_us INTEGER NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO "sensor_entry" VALUES(1,0,0,1,5000000,1767225600000000,X'020202F002020000');
INSERT INTO "sensor_entry" VALUES(1,1,0,0,6000000,1767225601000000,X'0000000000000000000000000000');
INSERT INTO "sensor_entry" VALUES(1,2,0,2,7000000,1767225602000000,X'0102');
CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36 AND id NOT GLOB '*[^0-9a-f-]*'),
  -- Forgetting a strap must not delete what was heard from it.
  strap INTEGER NOT NULL REFERENCES strap (id),
  person INTEGER REFERENCES person (id) ON DELETE CASCADE,
  origin TEXT NOT NULL CHECK (origin IN ('live', 'replay')),
  start_us INTEGER NOT NULL,
  start_monotonic_us INTEGER NOT NULL,
  is_complete INTEGER NOT NULL CHECK (is_complete IN (0, 1))
, label TEXT CHECK (label <> ''), made_from TEXT CHECK (made_from <> ''), device_id TEXT CHECK (device_id <> ''), note TEXT CHECK (note <> '')) STRICT;
INSERT INTO "session" VALUES(1,'00000001-aaaa-8bbb-9ccc-ddddeeeeffff',1,1,'live',1767225600000000,5000000,1,'night',NULL,'5f0c8c9e-3b1a-4c5e-9d7f-2a6b8e4d1c03','slept well
no alarm');
INSERT INTO "session" VALUES(2,'00000002-aaaa-8bbb-9ccc-ddddeeeeffff',2,NULL,'replay',1767333600000000,5000000,0,NULL,'kubios-text',NULL,NULL);
CREATE TABLE session_characteristic (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  uuid INTEGER NOT NULL CHECK (uuid BETWEEN 0 AND 65535),
  value BLOB NOT NULL,
  PRIMARY KEY (session, uuid)
) STRICT, WITHOUT ROWID;
INSERT INTO "session_characteristic" VALUES(1,10752,X'5374726170');
INSERT INTO "session_characteristic" VALUES(2,10752,X'5374726170');
CREATE TABLE sleep_session (
  session INTEGER PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
  origin TEXT NOT NULL CHECK (origin IN ('page', 'command', 'automatic', 'file')),
  lights_off_us INTEGER NOT NULL,
  lights_on_us INTEGER CHECK (lights_on_us >= lights_off_us),
  estimator TEXT CHECK (estimator <> ''),
  lowest_heart_rate REAL,
  mean_heart_rate REAL,
  rmssd REAL
) STRICT;
INSERT INTO "sleep_session" VALUES(1,'page',5000000,65000000,'five-minute-heuristic',47.5,54.25,NULL);
INSERT INTO "sleep_session" VALUES(2,'page',5000000,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE sleep_stage (
  session INTEGER NOT NULL REFERENCES sleep_session (session) ON DELETE CASCADE,
  start_us INTEGER NOT NULL,
  end_us INTEGER NOT NULL CHECK (end_us > start_us),
  stage TEXT NOT NULL CHECK (stage IN ('wake', 'light', 'deep', 'rem', 'nrem', 'asleep', 'unknown')),
  PRIMARY KEY (session, start_us)
) STRICT, WITHOUT ROWID;
INSERT INTO "sleep_stage" VALUES(1,5000000,35000000,'light');
INSERT INTO "sleep_stage" VALUES(1,35000000,65000000,'wake');
CREATE TABLE sound (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  time_us INTEGER NOT NULL,
  level REAL NOT NULL,
  peak REAL NOT NULL,
  PRIMARY KEY (session, time_us)
) STRICT, WITHOUT ROWID;
INSERT INTO "sound" VALUES(1,5000000,-62.5,-40.25);
INSERT INTO "sound" VALUES(1,35000000,-62.5,-40.25);
CREATE TABLE strap (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL CHECK (length(address) = 17),
  kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
  UNIQUE (address, kind)
) STRICT;
INSERT INTO "strap" VALUES(1,'C8:DE:AD:BE:EF:01',1);
INSERT INTO "strap" VALUES(2,'00:11:22:33:44:55',0);
CREATE TABLE stress_measurement (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36 AND id NOT GLOB '*[^0-9a-f-]*'),
  timestamp_us INTEGER NOT NULL,
  level REAL NOT NULL CHECK (level BETWEEN 0 AND 100),
  category TEXT NOT NULL CHECK (category IN ('relaxed', 'mild', 'moderate', 'high')),
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  hrv REAL NOT NULL CHECK (hrv >= 0),
  kind TEXT NOT NULL CHECK (kind IN ('sdnn', 'rmssd')),
  heart_rate REAL NOT NULL CHECK (heart_rate > 0),
  resting_heart_rate REAL NOT NULL CHECK (resting_heart_rate > 0),
  person INTEGER REFERENCES person (id) ON DELETE CASCADE,
  -- The history of a person outlives the recordings that it came from.
  session INTEGER REFERENCES session (key) ON DELETE SET NULL,
  device_id TEXT NOT NULL,
  is_synced INTEGER NOT NULL CHECK (is_synced IN (0, 1)),
  modified_us INTEGER NOT NULL,
  is_deleted INTEGER NOT NULL CHECK (is_deleted IN (0, 1))
) STRICT;
INSERT INTO "stress_measurement" VALUES(1,'00000001-1111-4222-8333-444455556666',1767225660000000,40.20444,'mild',0.7,25.0,'sdnn',60.0,60.0,1,1,'gateway',0,1767225600000000,0);
INSERT INTO "stress_measurement" VALUES(2,'00000002-1111-4222-8333-444455556666',1767225720000000,40.20444,'mild',0.7,25.0,'sdnn',60.0,60.0,1,1,'gateway',0,1767225600000000,1);
INSERT INTO "stress_measurement" VALUES(3,'00000003-1111-4222-8333-444455556666',1767225780000000,40.20444,'mild',0.7,25.0,'sdnn',60.0,60.0,NULL,NULL,'gateway',0,1767225600000000,0);
CREATE TABLE sync_change (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL,
  target TEXT NOT NULL,
  time_us INTEGER NOT NULL,
  UNIQUE (kind, target)
) STRICT;
INSERT INTO "sync_change" VALUES(1,1,'00000001-aaaa-8bbb-9ccc-ddddeeeeffff',1767225602000000);
CREATE TABLE sync_chunk (
  station INTEGER NOT NULL REFERENCES sync_log (station) ON DELETE CASCADE,
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  digest BLOB NOT NULL,
  previous BLOB NOT NULL,
  epoch INTEGER NOT NULL,
  sealed_us INTEGER,
  has_body INTEGER NOT NULL CHECK (has_body IN (0, 1)),
  PRIMARY KEY (station, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO "sync_chunk" VALUES(1,1,X'0101010101010101010101010101010101010101010101010101010101010101',X'0000000000000000000000000000000000000000000000000000000000000000',1,1767225601000000,1);
INSERT INTO "sync_chunk" VALUES(1,2,X'0202020202020202020202020202020202020202020202020202020202020202',X'0101010101010101010101010101010101010101010101010101010101010101',1,1767225602000000,1);
CREATE TABLE sync_edit (
  kind INTEGER NOT NULL,
  target TEXT NOT NULL,
  field INTEGER NOT NULL,
  wall_us INTEGER NOT NULL,
  counter INTEGER NOT NULL,
  station INTEGER NOT NULL REFERENCES sync_log (station) ON DELETE CASCADE,
  value TEXT,
  -- The own chunk in which it was sealed, null for edits of others.
  sequence INTEGER,
  PRIMARY KEY (kind, target, field, wall_us, counter, station)
) STRICT, WITHOUT ROWID;
INSERT INTO "sync_edit" VALUES(1,'00000001-aaaa-8bbb-9ccc-ddddeeeeffff',1,1767225600000000,1,1,'night',2);
CREATE TABLE sync_expired (
  session TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO "sync_expired" VALUES('00000003-aaaa-8bbb-9ccc-ddddeeeeffff');
CREATE TABLE sync_finding (
  number INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  station BLOB NOT NULL CHECK (length(station) = 32),
  -- Ranges of places in the log, as 1-3,7-7.
  sequences TEXT NOT NULL,
  since_us INTEGER,
  witness BLOB,
  reason TEXT
) STRICT;
INSERT INTO "sync_finding" VALUES(1,0,X'0202020202020202020202020202020202020202020202020202020202020202','2-2',NULL,NULL,'it contradicts what is stored');
INSERT INTO "sync_finding" VALUES(2,3,X'0202020202020202020202020202020202020202020202020202020202020202','4-7,9-9',1767225600000000,X'0101010101010101010101010101010101010101010101010101010101010101',NULL);
CREATE TABLE sync_log (
  station INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
  state BLOB NOT NULL,
  -- The last chunk of the log that a chunk of this station has stated.
  carried INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "sync_log" VALUES(1,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',X'',0);
INSERT INTO "sync_log" VALUES(2,X'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F',X'',1);
CREATE TABLE sync_member_record (
  digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
  bytes BLOB NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "sync_member_record" VALUES(X'0808080808080808080808080808080808080808080808080808080808080808',X'5447534D');
CREATE TABLE sync_sealed (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
  kind INTEGER NOT NULL,
  session TEXT,
  envelope BLOB,
  is_uploaded INTEGER NOT NULL CHECK (is_uploaded IN (0, 1)),
  -- Whether the body is still to be deleted in the store.
  is_dropped INTEGER NOT NULL DEFAULT 0 CHECK (is_dropped IN (0, 1))
) STRICT;
INSERT INTO "sync_sealed" VALUES(1,1,'00000001-aaaa-8bbb-9ccc-ddddeeeeffff',NULL,1,0);
INSERT INTO "sync_sealed" VALUES(2,4,NULL,X'54475343',0,0);
CREATE TABLE sync_sealed_stress (
  measurement INTEGER PRIMARY KEY REFERENCES stress_measurement (key) ON DELETE CASCADE,
  modified_us INTEGER NOT NULL,
  sequence INTEGER NOT NULL
) STRICT;
CREATE TABLE sync_session (
  session INTEGER PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
  station INTEGER REFERENCES sync_log (station) ON DELETE SET NULL,
  sealed_count INTEGER NOT NULL CHECK (sealed_count >= 0),
  is_over INTEGER NOT NULL CHECK (is_over IN (0, 1))
) STRICT;
INSERT INTO "sync_session" VALUES(1,NULL,10,1);
CREATE TABLE sync_space (
  key INTEGER PRIMARY KEY CHECK (key = 1),
  space BLOB NOT NULL CHECK (length(space) = 32),
  station BLOB NOT NULL CHECK (length(station) = 32),
  store TEXT NOT NULL CHECK (store <> ''),
  -- What this station is called in the space.
  name TEXT NOT NULL CHECK (name <> ''),
  generation INTEGER NOT NULL CHECK (generation >= 0),
  clock_us INTEGER NOT NULL,
  clock_counter INTEGER NOT NULL CHECK (clock_counter >= 0),
  synchronised_us INTEGER,
  -- Why the last synchronisation failed.
  problem TEXT,
  -- Counts changes of the state, so that a process notices those of others.
  revision INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "sync_space" VALUES(1,X'0707070707070707070707070707070707070707070707070707070707070707',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','/mnt/nas/tachogram','bedroom',0,1767225600000000,2,1767225601000000,NULL,3);
CREATE TRIGGER ledger_is_never_rewritten BEFORE UPDATE ON ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is never rewritten');
END;
CREATE INDEX stress_measurement_by_time ON stress_measurement (person, kind, timestamp_us) WHERE is_deleted = 0;
CREATE INDEX stress_measurement_by_session ON stress_measurement (session) WHERE session IS NOT NULL;
CREATE UNIQUE INDEX baseline_of_person ON baseline (coalesce(person, 0), kind);
CREATE INDEX session_by_start ON session (start_us);
CREATE INDEX session_by_person ON session (person, start_us);
CREATE TRIGGER rollup_of_deleted_person AFTER DELETE ON person
BEGIN
  DELETE FROM rollup WHERE person = old.id;
  DELETE FROM rollup_pending WHERE person = old.id;
END;
CREATE TRIGGER rollup_is_pending AFTER INSERT ON hrv_window WHEN new.length = 300
BEGIN
  INSERT OR IGNORE INTO rollup_pending
    SELECT coalesce(person, 0), (start_us + new.end_us - start_monotonic_us) / 3600000000
    FROM session WHERE key = new.session;
END;
CREATE INDEX session_without_device ON session (device_id) WHERE device_id = 'live';
CREATE INDEX marker_by_session ON marker (session, time_us);
CREATE INDEX reading_by_time ON reading (person, start_us);
CREATE INDEX reading_by_session ON reading (session) WHERE session IS NOT NULL;
CREATE INDEX sync_sealed_by_session ON sync_sealed (session) WHERE session IS NOT NULL;
CREATE INDEX sync_sealed_to_upload ON sync_sealed (sequence) WHERE is_uploaded = 0 OR is_dropped = 1;
CREATE INDEX sync_sealed_stress_by_chunk ON sync_sealed_stress (sequence);
CREATE INDEX stress_measurement_to_sync ON stress_measurement (key) WHERE is_synced = 0;
CREATE TRIGGER sync_session_changed AFTER UPDATE OF person, label, note ON session
WHEN EXISTS (SELECT 1 FROM sync_space)
  AND (new.person IS NOT old.person OR new.label IS NOT old.label OR new.note IS NOT old.note)
BEGIN
  DELETE FROM sync_change WHERE kind = 1 AND target = new.id;
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 1, new.id,
    CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER);
END;
CREATE TRIGGER sync_session_ended AFTER UPDATE OF is_complete ON session
WHEN EXISTS (SELECT 1 FROM sync_space) AND new.is_complete = 1 AND old.is_complete = 0
BEGIN
  DELETE FROM sync_change WHERE kind = 66 AND target = new.id;
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 66, new.id, 0;
END;
CREATE TRIGGER sync_session_deleted AFTER DELETE ON session
WHEN EXISTS (SELECT 1 FROM sync_space) AND NOT EXISTS (SELECT 1 FROM sync_expired WHERE session = old.id)
BEGIN
  DELETE FROM sync_change WHERE kind = 1 AND target = old.id;
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 1, old.id, 0;
END;
CREATE TRIGGER sync_known_strap_changed AFTER UPDATE OF name, person ON known_strap
WHEN EXISTS (SELECT 1 FROM sync_space) AND (new.name IS NOT old.name OR new.person IS NOT old.person)
BEGIN
  DELETE FROM sync_change WHERE kind = 2 AND target = (SELECT address || '/' || kind FROM strap WHERE id = new.strap);
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 2, (SELECT address || '/' || kind FROM strap WHERE id = new.strap),
    CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)
  WHERE (SELECT address || '/' || kind FROM strap WHERE id = new.strap) IS NOT NULL;
END;
CREATE TRIGGER sync_stress_measurement_deleted AFTER UPDATE OF is_deleted ON stress_measurement
WHEN EXISTS (SELECT 1 FROM sync_space) AND new.is_deleted = 1 AND old.is_deleted = 0
BEGIN
  DELETE FROM sync_change WHERE kind = 4 AND target = new.id;
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 4, new.id, 0;
END;
CREATE TRIGGER sync_marker_added AFTER INSERT ON marker
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 6 AND target = new.id;
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 6, new.id,
    CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER);
END;
CREATE TRIGGER sync_marker_changed AFTER UPDATE OF text, time_us, session ON marker
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 6 AND target = new.id;
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 6, new.id,
    CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER);
END;
CREATE TRIGGER sync_marker_deleted AFTER DELETE ON marker
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 6 AND target = old.id;
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 6, old.id, 0;
END;
CREATE TRIGGER sync_reading_added AFTER INSERT ON reading
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 7 AND target = new.id;
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 7, new.id, 0;
END;
CREATE TRIGGER sync_reading_deleted AFTER DELETE ON reading
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 7 AND target = old.id;
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 7, old.id, 0;
END;
CREATE TRIGGER sync_sleep_session_added AFTER INSERT ON sleep_session
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = new.session);
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 64, (SELECT id FROM session WHERE key = new.session), 0
  WHERE (SELECT id FROM session WHERE key = new.session) IS NOT NULL;
END;
CREATE TRIGGER sync_sleep_session_changed AFTER UPDATE ON sleep_session
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = new.session);
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 64, (SELECT id FROM session WHERE key = new.session), 0
  WHERE (SELECT id FROM session WHERE key = new.session) IS NOT NULL;
END;
CREATE TRIGGER sync_sleep_session_deleted AFTER DELETE ON sleep_session
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = old.session);
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 64, (SELECT id FROM session WHERE key = old.session), 0
  WHERE (SELECT id FROM session WHERE key = old.session) IS NOT NULL;
END;
CREATE TRIGGER sync_sleep_stage_added AFTER INSERT ON sleep_stage
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = new.session);
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 64, (SELECT id FROM session WHERE key = new.session), 0
  WHERE (SELECT id FROM session WHERE key = new.session) IS NOT NULL;
END;
CREATE TRIGGER sync_movement_added AFTER INSERT ON movement
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 64 AND target = (SELECT id FROM session WHERE key = new.session);
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 64, (SELECT id FROM session WHERE key = new.session), 0
  WHERE (SELECT id FROM session WHERE key = new.session) IS NOT NULL;
END;
CREATE INDEX sync_edit_by_chunk ON sync_edit (sequence) WHERE sequence IS NOT NULL;
CREATE TRIGGER sync_known_strap_added AFTER INSERT ON known_strap
WHEN EXISTS (SELECT 1 FROM sync_space)
BEGIN
  DELETE FROM sync_change WHERE kind = 68 AND target = (SELECT address || '/' || kind FROM strap WHERE id = new.strap);
  INSERT OR IGNORE INTO sync_change (kind, target, time_us)
  SELECT 68, (SELECT address || '/' || kind FROM strap WHERE id = new.strap),
    CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)
  WHERE (SELECT address || '/' || kind FROM strap WHERE id = new.strap) IS NOT NULL;
END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('sync_change',1);
COMMIT;
