//! The instructions of straight-line code with the methods that execute them, and the sequences of them
//! that are executed as one op (see `fuse`): the one list of each.
//!
//! `op` takes the sequences' codes from here, `fuse` what they are made of, `execute` the code that
//! runs them. Their costs follow from their instructions (see `program`).

/// Calls the macro `$then` with `{ $context } methods { .. } sequences { .. }`.
///
/// A method is one of `semantics`. A sequence's name is the names of its instructions. Only its last
/// instruction may leave it, and only if that is BRNE. Sequences with the same first instruction stand
/// together, longer ones before shorter ones: of those that fit, `fuse` takes the first.
macro_rules! instructions {
    ($then:ident { $($context:tt)* }) => {
        $then! {
            { $($context)* }
            methods {
                Add add, Adc adc, Sub sub, Sbc sbc, And and, Or or, Eor eor, Cp cp, Cpc cpc,
                Mov mov, Movw movw, Mul mul,
                Muls multiply, Mulsu multiply, Fmul multiply, Fmuls multiply, Fmulsu multiply,
                Cpi cpi, Subi subi, Sbci sbci, Ori ori, Andi andi, Ldi ldi, Adiw adiw, Sbiw sbiw,
                Com com, Neg neg, Swap swap, Inc inc, Dec dec, Asr asr, Lsr lsr, Ror ror,
                Ld ld, LdInc ld_inc, LdDec ld_dec, St st, StInc st_inc, StDec st_dec,
                In lds, Out sts, Sbi sbi, Cbi cbi,
                Lpm lpm, LpmInc lpm_inc, Elpm elpm, ElpmInc elpm, Spm spm,
                Push push, Pop pop,
                Bset write_sreg, Bclr write_sreg, Bst bst, Bld bld,
            }
            sequences {
                LsrRorRorRorDecBrne = Lsr Ror Ror Ror Dec Brne;
                LsrRorDecBrne = Lsr Ror Dec Brne;
                LsrRorRorRor = Lsr Ror Ror Ror;
                LsrRorRor = Lsr Ror Ror;
                LsrRor = Lsr Ror;
                AddAdcAdcAdcDecBrne = Add Adc Adc Adc Dec Brne;
                AddAdcDecBrne = Add Adc Dec Brne;
                AddAdcAdcAdc = Add Adc Adc Adc;
                AddAdcAdc = Add Adc Adc;
                AddAdc = Add Adc;
                BstRorRorRorRorBld = Bst Ror Ror Ror Ror Bld;
                AdiwLdLdLdLd = Adiw Ld Ld Ld Ld;
                AdiwStStStSt = Adiw St St St St;
                AdiwLd = Adiw Ld;
                AdiwSt = Adiw St;
                AdcAdcAdcAdc = Adc Adc Adc Adc;
                AdcAdcAdc = Adc Adc Adc;
                AdcAdc = Adc Adc;
                SubSbcSbcSbc = Sub Sbc Sbc Sbc;
                SubSbc = Sub Sbc;
                SbcSbc = Sbc Sbc;
                SubiSbci = Subi Sbci;
                RorRorRorRor = Ror Ror Ror Ror;
                RorRorRor = Ror Ror Ror;
                RorRor = Ror Ror;
                EorEorEorEor = Eor Eor Eor Eor;
                EorEorEor = Eor Eor Eor;
                EorEor = Eor Eor;
                EorSt = Eor St;
                EorMov = Eor Mov;
                AndAndAndAnd = And And And And;
                AndAnd = And And;
                OrOrOrOr = Or Or Or Or;
                OrOr = Or Or;
                MovMovMovMov = Mov Mov Mov Mov;
                MovMov = Mov Mov;
                MovEor = Mov Eor;
                MovLd = Mov Ld;
                MovwMovw = Movw Movw;
                MovwLdInc = Movw LdInc;
                LdiLdi = Ldi Ldi;
                LdLdLdLd = Ld Ld Ld Ld;
                LdLdLd = Ld Ld Ld;
                LdLd = Ld Ld;
                LdEor = Ld Eor;
                LdMov = Ld Mov;
                LdIncLdInc = LdInc LdInc;
                LdIncMovw = LdInc Movw;
                StStStSt = St St St St;
                StCpCpcBrne = St Cp Cpc Brne;
                StStSt = St St St;
                StSt = St St;
                PushPush = Push Push;
                PopPop = Pop Pop;
                DecBrne = Dec Brne;
                CpCpcBrne = Cp Cpc Brne;
                CpCpc = Cp Cpc;
                CpiCpcBrne = Cpi Cpc Brne;
                CpiCpc = Cpi Cpc;
                CpiBrne = Cpi Brne;
                SbiwAdiw = Sbiw Adiw;
                SbiwEor = Sbiw Eor;
                ComCom = Com Com;
                LpmIncLpmInc = LpmInc LpmInc;
            }
        }
    };
}

pub(crate) use instructions;
