"""Checks of the page's modules by themselves, in the browser that runs them."""

# Each is a function body that returns what is wrong; `load` imports a module of the page.
CASES = {
    "events arrive whole however they are cut": """
      const { EventParser } = await load('/scripts/events.js');
      const text = ': here\\n\\nid: 7\\r\\nevent: reading\\r\\ndata: {"a":\\r\\ndata: 1}\\r\\n\\r\\n'
        + 'data:x\\r\\rid: 8\\n\\n';
      const wanted = JSON.stringify([{ type: 'reading', data: '{"a":\\n1}' }, { type: 'message', data: 'x' }]);
      for (let size = 1; size <= text.length; size++) {
        const parser = new EventParser();
        const events = [];
        for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
        if (JSON.stringify(events) !== wanted) return [`in pieces of ${size}: ${JSON.stringify(events)}`];
        if (parser.lastEventID !== '8') return [`in pieces of ${size} the last id is ${parser.lastEventID}`];
      }
      return [];""",
    "coherence is the share that a sine explains": """
      const { explainedShare } = await load('/scripts/coherence.js');
      const times = Array.from({ length: 60 }, (_, index) => index - 60);
      const sine = (t, perMinute) => Math.sin(2 * Math.PI * perMinute / 60 * t + 1);
      const share = (value) => explainedShare(times, times.map(value), 0.1);
      const near = (name, value, wanted) => Math.abs(value - wanted) < 1e-6 ? [] : [`${name}: ${value}`];
      let seed = 1;
      const noise = () => (seed = seed * 16807 % 2147483647) / 2147483647 - 0.5;
      const chance = share(noise);
      return [
        ...near('a sine', share((t) => 900 + 40 * sine(t, 6)), 1),
        ...near('a sine on a slope', share((t) => 900 + 3 * t + 40 * sine(t, 6)), 1),
        ...near('a slope', share((t) => 900 + 3 * t), 0),
        ...near('no variation', share(() => 900), 0),
        ...near('two sines', share((t) => 30 * sine(t, 6) + 30 * sine(t, 12)), 0.5).filter(() =>
          Math.abs(share((t) => 30 * sine(t, 6) + 30 * sine(t, 12)) - 0.5) > 0.02),
        ...(chance < 0.2 ? [] : [`noise: ${chance}`]),
      ];""",
    "coherence is absent where it has too little to rest on": """
      const { coherence } = await load('/scripts/coherence.js');
      const now = Date.parse('2026-01-01T00:01:00Z');
      const beats = (count) => Array.from({ length: count }, (_, index) =>
        ({ time: new Date(now - (count - 1 - index) * 1000).toISOString(), rr: 1000 + 50 * Math.sin(index * 0.628) }));
      const changed = (all, change) => all.map((beat, index) => ({ ...beat, ...change(index) }));
      const wrong = [];
      const absent = (name, result) => 'absence' in result || wrong.push(`${name} has a share`);
      absent('29 beats', coherence(beats(29), 6, 0, now));
      absent('a gap', coherence(changed(beats(50), (index) => ({ followsGap: index === 30 })), 6, 0, now));
      absent('a strap that is silent', coherence(beats(50), 6, 0, now + 6000));
      absent('beats before the exercise', coherence(beats(50), 6, now - 20000, now));
      absent('marked beats', coherence(changed(beats(40), (index) => ({ isMarked: index % 2 === 0 })), 6, 0, now));
      const result = coherence(beats(50), 6, 0, now);
      if (!(result.share > 0.98)) wrong.push(`50 beats: ${JSON.stringify(result)}`);
      const old = changed(beats(50), (index) => ({ followsGap: index === 0 }));
      if (!('share' in coherence(old, 6, 0, now))) wrong.push('a gap before the first beat hides the share');
      return wrong;""",
    "a hypnogram has few points, and joins nothing across what is unknown": """
      const { hypnogram } = await load('/scripts/sleep.js');
      const start = Date.parse('2026-01-01T22:00:00Z');
      const drawn = (stages, minutes) => {
        let chart;
        const group = { add: (each) => ((chart = each), document.createElement('figure')) };
        const time = (index) => new Date(start + index * minutes * 60000).toISOString();
        hypnogram(group, { stages: stages.map((stage, index) => ({ start: time(index), end: time(index + 1), stage })) },
          [start, start + stages.length * minutes * 60000]);
        return chart;
      };
      const wrong = [];
      const short = drawn(['wake', 'light', 'unknown', 'deep'], 30);
      const rows = short.rows.map((row) => row[1]).join();
      if (rows !== '4,4,2,2,NaN,NaN,1,1') wrong.push(`the rows are ${rows}`);
      const areas = short.areas.filter((area) => area.colour !== 'line');
      const boxes = areas.map((area) => `${area.colour} ${(area.to - area.from) / 60000}`).join();
      if (boxes !== 'gap 30,border 0,stage-wake 30,stage-light 30,stage-deep 30') wrong.push(`the areas are ${boxes}`);
      if (areas[0].text !== 'unknown') wrong.push('what is unknown has no label');
      const long = drawn(Array.from({ length: 2400 }, (_, index) => ['light', 'deep', 'rem', 'unknown'][(index / 7 | 0) % 4]), 0.5);
      if (long.rows.length > 200 || long.rows.length < 100) wrong.push(`a night of 20 hours has ${long.rows.length} points`);
      return wrong;""",
    "runs of what is not known are gaps": """
      const { gapsOf } = await load('/scripts/sleep.js');
      const found = JSON.stringify(gapsOf([null, null, 0, 1, null, 2, null]));
      return found === '[[0,2],[4,5],[6,7]]' ? [] : [found];""",
    "attempts come later and later": """
      const { backOff } = await load('/scripts/events.js');
      const most = [500, 1000, 2000, 4000, 8000, 10000, 10000];
      return most.flatMap((wanted, index) => {
        const delay = backOff(index + 1);
        return delay <= wanted && delay >= wanted * 0.75 ? [] : [`attempt ${index + 1}: ${delay}`];
      });""",
    "a strap counts as connected only while its link is up": """
      const { stationState } = await load('/scripts/words.js');
      const { pairingState } = await load('/scripts/views/welcome.js');
      const strap = (phase, session) => ({ strap: 0, name: 'H10', session, link: { phase, text: phase } });
      const state = (readings, more) => stationState({ source: 'radio', isRecording: true, ...more }, readings)[1];
      const already = 'A strap is connected already. To add another one, pair it.';
      const pairs = [
        [state([]), 'Connected, no strap'], [state([strap('backingOff')]), 'Connected, no strap'],
        [state([strap('scanning', 'a')]), 'Connected, no strap'], [state([strap('live')]), 'Connected'],
        [state([strap('backingOff'), strap('live', 'a')]), 'Connected, recording'],
        [state([strap('live', 'a')], { isRecording: false }), 'Connected'],
        [state([strap('live', 'a')], { isStorageFailing: true }), 'Connected, not storing'],
        [state([strap('idle')], { source: 'capture' }), 'Connected, playing a capture'],
        [pairingState([]), 'No strap is connected yet.'], [pairingState([strap('silent')]), already],
        [pairingState([strap('backingOff'), strap('live')]), already],
        [pairingState([strap('backingOff')]), 'No strap is connected now. H10: backingOff.'],
      ];
      return pairs.filter(([found, wanted]) => found !== wanted).map((pair) => pair.join(' is not '));""",
    "a full disk has one banner": """
      const { alerts } = await load('/scripts/words.js');
      const disk = { kind: 'diskLow', text: 'low' };
      const kinds = (status) => alerts(status).map((alert) => alert.kind).join();
      const pairs = [[kinds(null), ''], [kinds({ alerts: [disk] }), 'diskLow'],
        [kinds({ alerts: [disk], problem: 'damaged' }), 'problem,diskLow'],
        [kinds({ alerts: [disk, { kind: 'noData' }], problem: 'full', isStorageFailing: true }), 'problem,noData']];
      return pairs.filter(([found, wanted]) => found !== wanted).map((pair) => pair.join(' is not '));""",
    "movement may still come while a night lasts": """
      const { MOVEMENT, nightChart } = await load('/scripts/sleep.js');
      const words = (isRunning) => nightChart(null, { movement: [null], night: { isRunning } }, 'movement', [0, 1], MOVEMENT);
      return [[true, 'No movement has been received yet.'], [false, 'No movement is recorded.']].flatMap(([isRunning, start]) =>
        words(isRunning).textContent.startsWith(start) ? [] : [words(isRunning).textContent]);""",
    "a reading says why it has no SDNN": """
      const { resultRows } = await load('/scripts/views/reading.js');
      const reading = { seconds: 60, coverage: 0.995, beats: 61, artifactShare: 0, rmssd: 40, meanHeartRate: 61 };
      const row = (more) => JSON.stringify(resultRows({ ...reading, ...more }).find((each) => each[0] === 'SDNN'));
      const pairs = [
        [row({}), JSON.stringify(['SDNN', '–', 'Needs 60 s of intervals, there are 59 s. Measure for 2 minutes or longer to get it.'])],
        [row({ sdnn: 51.25 }), JSON.stringify(['SDNN', '51.3 ms'])],
      ];
      return pairs.filter(([found, wanted]) => found !== wanted).map((pair) => pair.join(' is not '));""",
    "a session tells where it is from": """
      const { states } = await load('/scripts/views/history.js');
      const text = (session) => states({ isComplete: true, ...session }).map((each) => each.textContent).join();
      const pairs = [[text({ origin: 'live' }), ''], [text({ origin: 'replay' }), 'played from a capture'],
        [text({ origin: 'replay', madeFrom: 'rr-text' }), 'imported from rr-text']];
      return pairs.filter(([found, wanted]) => found !== wanted).map((pair) => pair.join(' is not '));""",
    "numbers and times are worded": """
      const words = await load('/scripts/words.js');
      const pairs = [[words.number(1234.56, 1), '1,234.6'], [words.number(undefined), '–'],
        [words.elapsed(3723000), '01:02:03'], [words.duration(5400000), '1 h 30 min'], [words.duration(42000), '42 s'],
        [words.bytes(48300000), '48.3 MB'], [words.signal(127)[0], 'unknown'],
        [words.signal(-84)[0], 'weak, −84 dBm'], [words.counted(1, 'gap'), '1 gap'],
        [words.absence({ coverage: 0.5, beats: 30, artifactShare: 0 }, 'sdnn', 60),
          'needs 60 s of intervals, there are 30 s']];
      return pairs.filter(([found, wanted]) => found !== wanted).map((pair) => pair.join(' is not '));""",
}
