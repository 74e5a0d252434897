import { expect, it } from 'vitest';
import { stem } from './stem.js';

it("stems as Snowball's published vocabulary does", () => {
  const examples =
    'consign:consign consigned:consign consigning:consign consignment:consign consist:consist consistency:consist consistent:consist consistently:consist consolation:consol consolations:consol consolatory:consolatori console:consol consolingly:consol consolation:consol constancy:constanc constant:constant constantly:constant knack:knack knackeries:knackeri knaves:knave kneeling:kneel kneels:kneel knightly:knight knitted:knit knives:knive knocked:knock knots:knot knotted:knot know:know generate:generat generates:generat generically:generic generosity:generos communism:communism community:communiti communities:communiti virus:virus viruses:virus ties:tie cries:cri dying:die happy:happi say:say by:by hoping:hope hopping:hop agreed:agre feed:feed gas:gas gaps:gap this:this kiwis:kiwi bias:bias succeed:succeed sized:size relational:relat conditional:condit vietnamization:vietnam hopefulness:hope electrical:electr adjustable:adjust replacement:replac adoption:adopt controlling:control rolling:roll youth:youth boyish:boyish';
  for (const example of examples.split(' ')) {
    const [word, expected] = example.split(':');
    expect([word, stem(word!)]).toEqual([word, expected]);
  }
});
